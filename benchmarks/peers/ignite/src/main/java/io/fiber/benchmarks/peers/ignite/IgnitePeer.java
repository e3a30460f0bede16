// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers.ignite;

import io.fiber.benchmarks.peers.Peer;
import io.fiber.benchmarks.peers.PeerProgram;
import io.fiber.benchmarks.peers.WorkerProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.lang.IgniteReducer;
import org.apache.ignite.logger.NullLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** Apache Ignite on this host: five server nodes, and this program as a client node, which calls its compute grid. */
public final class IgnitePeer implements Peer {
    private final Path directory = Files.createTempDirectory("ignite");
    private final WorkerProcesses nodes;
    private final Ignite ignite;
    private final IgniteCompute compute;

    private IgnitePeer() throws IOException {
        List<String> ports = WorkerProcesses.freePorts(2 * (WORKERS + 1)).stream()
                .map(String::valueOf)
                .toList();
        List<String> arguments = new ArrayList<>(List.of(directory.toString()));
        arguments.addAll(ports);
        nodes = new WorkerProcesses(Node.class, arguments);
        ignite = Ignition.start(configuration(WORKERS, directory, ports).setClientMode(true));
        compute = ignite.compute(ignite.cluster().forServers());
    }

    public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
        PeerProgram.run(args, IgnitePeer::new);
    }

    @Override
    public Collection<Long> processes() {
        return compute.broadcast(Peer::process);
    }

    @Override
    public List<Integer> separate(int tasks) {
        List<IgniteFuture<Integer>> futures = new ArrayList<>(tasks);
        for (int item = 0; item < tasks; item++) {
            futures.add(compute.applyAsync(Peer::same, item));
        }
        return futures.stream().map(IgniteFuture::get).toList();
    }

    /** Without the cache of results, which Ignite copies with each result. */
    @Override
    public List<Integer> naps(int tasks) {
        return compute.withNoResultCache()
                .apply(
                        IgnitePeer::nap,
                        IntStream.range(0, tasks).boxed().toList(),
                        new Results(new ArrayList<>(tasks)));
    }

    private static int nap(int item) {
        try {
            return Peer.nap(item);
        } catch (InterruptedException e) {
            throw new IgniteInterruptedException(e);
        }
    }

    @Override
    public void close() throws IOException {
        ignite.close();
        nodes.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A node knows the ports of all server nodes; the second half of the ports is for messages. */
    private static IgniteConfiguration configuration(int number, Path directory, List<String> ports) {
        TcpDiscoveryVmIpFinder finder = new TcpDiscoveryVmIpFinder();
        finder.setAddresses(ports.subList(0, WORKERS).stream()
                .map(port -> "127.0.0.1:" + port)
                .toList());
        return new IgniteConfiguration()
                .setIgniteInstanceName("node" + number)
                .setWorkDirectory(directory.resolve("node" + number).toString())
                .setGridLogger(new NullLogger())
                .setMetricsLogFrequency(0)
                .setLocalHost("127.0.0.1")
                .setClientConnectorConfiguration(null)
                .setConnectorConfiguration(null)
                .setPublicThreadPoolSize(1)
                .setDataStorageConfiguration(new DataStorageConfiguration()
                        .setDefaultDataRegionConfiguration(new DataRegionConfiguration().setMaxSize(64L << 20)))
                .setCommunicationSpi(new TcpCommunicationSpi()
                        .setLocalPort(Integer.parseInt(ports.get(WORKERS + 1 + number)))
                        .setLocalPortRange(0))
                .setDiscoverySpi(new TcpDiscoverySpi()
                        .setLocalPort(Integer.parseInt(ports.get(number)))
                        .setLocalPortRange(0)
                        .setIpFinder(finder));
    }

    /** Collects results as they come. */
    private record Results(List<Integer> results) implements IgniteReducer<Integer, List<Integer>> {
        @Override
        public synchronized boolean collect(Integer result) {
            results.add(result);
            return true;
        }

        @Override
        public synchronized List<Integer> reduce() {
            return List.copyOf(results);
        }
    }

    /** A server node. */
    static final class Node {
        private Node() {}

        /** Takes its number, the directory of the program, and the ports. */
        public static void main(String[] args) throws IOException {
            Ignite node = Ignition.start(configuration(
                    Integer.parseInt(args[0]), Path.of(args[1]), List.of(args).subList(2, args.length)));
            WorkerProcesses.awaitEnd();
            node.close();
        }
    }
}
