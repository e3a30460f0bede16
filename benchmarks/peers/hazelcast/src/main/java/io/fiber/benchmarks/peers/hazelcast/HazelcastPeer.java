// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import io.fiber.benchmarks.peers.Peer;
import io.fiber.benchmarks.peers.PeerProgram;
import io.fiber.benchmarks.peers.WorkerProcesses;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Hazelcast on this host: five members, and this program as their client, which submits to an executor. */
public final class HazelcastPeer implements Peer {
    private static final String EXECUTOR = "tasks";

    private final WorkerProcesses members;
    private final HazelcastInstance client;
    private final IExecutorService executor;

    private HazelcastPeer() throws IOException {
        List<String> ports =
                WorkerProcesses.freePorts(WORKERS).stream().map(String::valueOf).toList();
        members = new WorkerProcesses(Worker.class, ports);
        ClientConfig config = new ClientConfig();
        config.setProperty("hazelcast.logging.type", "none");
        ports.forEach(port -> config.getNetworkConfig().addAddress("127.0.0.1:" + port));
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setInitialBackoffMillis(50)
                .setMultiplier(1);
        client = HazelcastClient.newHazelcastClient(config);
        executor = client.getExecutorService(EXECUTOR);
    }

    public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
        PeerProgram.run(args, HazelcastPeer::new);
    }

    @Override
    public Collection<Long> processes() throws ExecutionException, InterruptedException {
        return results(executor.submitToAllMembers(new Identify()).values());
    }

    /** To the members in turn, which takes less time than to the owners of partitions by chance. */
    @Override
    public List<Integer> separate(int tasks) throws ExecutionException, InterruptedException {
        List<Member> all = List.copyOf(client.getCluster().getMembers());
        List<Future<Integer>> futures = new ArrayList<>(tasks);
        for (int item = 0; item < tasks; item++) {
            futures.add(executor.submitToMember(new Same(item), all.get(item % all.size())));
        }
        return results(futures);
    }

    @Override
    public List<Integer> naps(int tasks) throws ExecutionException, InterruptedException {
        return results(
                executor.invokeAll(IntStream.range(0, tasks).mapToObj(Nap::new).toList()));
    }

    private static <T> List<T> results(Collection<Future<T>> futures) throws ExecutionException, InterruptedException {
        List<T> results = new ArrayList<>(futures.size());
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    @Override
    public void close() throws IOException {
        client.shutdown();
        members.close();
    }

    private record Identify() implements Callable<Long>, Serializable {
        @Override
        public Long call() throws InterruptedException {
            return Peer.process();
        }
    }

    private record Same(int item) implements Callable<Integer>, Serializable {
        @Override
        public Integer call() {
            return Peer.same(item);
        }
    }

    private record Nap(int item) implements Callable<Integer>, Serializable {
        @Override
        public Integer call() throws InterruptedException {
            return Peer.nap(item);
        }
    }

    /** A member. */
    static final class Worker {
        private Worker() {}

        /** Takes its number and the ports of all members. */
        public static void main(String[] args) throws IOException {
            Config config = new Config();
            config.setProperty("hazelcast.logging.type", "none");
            config.setProperty("hazelcast.phone.home.enabled", "false");
            // All members are known: none waits for others that multicast might find.
            config.setProperty("hazelcast.wait.seconds.before.join", "0");
            config.setProperty("hazelcast.initial.min.cluster.size", String.valueOf(WORKERS));
            config.getExecutorConfig(EXECUTOR).setPoolSize(1);
            config.getNetworkConfig()
                    .setPort(Integer.parseInt(args[1 + Integer.parseInt(args[0])]))
                    .setPortAutoIncrement(false)
                    .getInterfaces()
                    .setEnabled(true)
                    .addInterface("127.0.0.1");
            JoinConfig join = config.getNetworkConfig().getJoin();
            join.getAutoDetectionConfig().setEnabled(false);
            join.getTcpIpConfig().setEnabled(true);
            for (String port : List.of(args).subList(1, args.length)) {
                join.getTcpIpConfig().addMember("127.0.0.1:" + port);
            }
            HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
            WorkerProcesses.awaitEnd();
            // It has no data that others would have to take over.
            member.getLifecycleService().terminate();
            System.exit(0);
        }
    }
}
