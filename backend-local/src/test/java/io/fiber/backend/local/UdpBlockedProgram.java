// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Connection;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.tck.fault.PrivateNetwork;
import io.fiber.tck.fault.SpreadBackend;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A master and workers on two other hosts, between which no datagram passes; takes the transport. Runs in a sandbox. */
final class UdpBlockedProgram {

    private UdpBlockedProgram() {}

    public static void main(String[] args) {
        PrivateNetwork network = new PrivateNetwork();
        List<PrivateNetwork.Host> hosts = List.of(network.host(), network.host());
        network.dropUdp();
        try (Fiber fiber = Fiber.builder()
                .backend(new SpreadBackend(new LocalBackendProvider(), network, hosts))
                .transport(args[0])
                .set("cds.directory", WorkerArchive.DIRECTORY)
                .open()) {
            FiberProcess first = fiber.process(() -> System.out.println("ran"));
            System.out.println("process " + first.join());
            useAll(fiber);
        } catch (FiberException e) {
            System.out.println("told " + e.toString().replace('\n', ' '));
        }
    }

    private static void useAll(Fiber fiber) {
        try (Pool pool = fiber.pool(2);
                Manager manager = fiber.manager()) {
            int sum = pool.map(i -> i * i, IntStream.range(0, 1_000).boxed().toList()).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            System.out.println("map " + sum);
            byte[] large = pool.apply(length -> new byte[length], 20_000_000);
            System.out.println("large " + large.length);
            FiberQueue<Integer> queue = fiber.queue();
            pool.map(queue::offer, IntStream.range(0, 100));
            pool.apply(() -> queue.offer(queue.take() + 1_000));
            System.out.println(
                    "queue " + IntStream.range(0, 100).map(i -> queue.take()).sum());
            Pipe<String, String> pipe = fiber.pipe();
            Connection<String, String> end = pipe.second();
            CompletableFuture<String> echo = pool.applyAsync(() -> {
                String word = end.receive();
                end.send("echo of " + word);
                return word;
            });
            pipe.first().send("a word");
            System.out.println("pipe " + pipe.first().receive());
            echo.join();
            ManagedMap<String, Integer> counts = manager.map();
            pool.apply(() -> counts.merge("count", 7, Integer::sum));
            System.out.println("manager " + counts.get("count"));
        }
        List<Long> sums = fiber.ring(2).call(member -> {
            long[] ranks = {member.rank() + 1};
            member.allReduce(ranks, Long::sum);
            return ranks[0];
        });
        System.out.println("ring " + sums);
    }
}
