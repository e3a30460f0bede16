// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures the round trip and the bandwidth between two JVMs through shared memory, by a link and by raw Aeron in turn.
 * Prints one JSON object a line.
 */
public final class ConnectionBenchmark {
    static final int PING_BYTES = 64;

    private static final int ROUNDS = 3;
    private static final int WARM_UPS = 20_000;
    private static final int PINGS = 50_000;
    private static final int BULK_BYTES = 1024;
    private static final int BULKS = 500_000;
    private static final double NS_PER_US = 1e3;

    private ConnectionBenchmark() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            for (String system : List.of("link", "aeron")) {
                measure(system);
            }
        }
    }

    private static void measure(String system) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("fiber-benchmark");
        Path aeronDirectory = directory.resolve("aeron");
        Path peerDirectory = Files.createDirectory(directory.resolve("peer"));
        try (Channel channel =
                system.equals("link") ? LinkChannel.invite(directory) : AeronChannel.invite(aeronDirectory)) {
            Process peer = channel instanceof LinkChannel link
                    ? startPeer(system, peerDirectory.toString(), link.address())
                    : startPeer(system, aeronDirectory.toString());
            try {
                measure(system, channel, peer);
            } finally {
                peer.destroyForcibly().waitFor();
            }
        }
        deleteTree(directory);
    }

    private static void measure(String system, Channel channel, Process peer) throws InterruptedException {
        while (!channel.isConnected()) {
            if (!peer.isAlive()) {
                throw new IllegalStateException("The peer ended with " + peer.exitValue() + ".");
            }
            Channel.idle(0);
        }
        pingAll(channel, WARM_UPS);
        printRoundTrips(system, pingAll(channel, PINGS));
        sendBulk(channel, BULKS / 5);
        printBandwidth(system, sendBulk(channel, BULKS));
        channel.send(message(EchoPeer.END, PING_BYTES), (kind, length) -> {});
        if (!peer.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The peer did not end within 30 s.");
        }
    }

    private static ByteBuffer message(byte kind, int length) {
        return ByteBuffer.allocateDirect(length).put(0, kind);
    }

    private static long[] pingAll(Channel channel, int count) {
        ByteBuffer ping = message(EchoPeer.ECHO, PING_BYTES);
        long[] roundTripsNs = new long[count];
        for (int i = 0; i < count; i++) {
            long beginNs = System.nanoTime();
            sendAndAwaitEcho(channel, ping);
            roundTripsNs[i] = System.nanoTime() - beginNs;
        }
        return roundTripsNs;
    }

    private static void sendAndAwaitEcho(Channel channel, ByteBuffer ping) {
        boolean[] hasArrived = {false};
        Channel.Receiver receiver = (kind, length) -> hasArrived[0] = true;
        channel.send(ping, receiver);
        while (!hasArrived[0]) {
            Channel.idle(channel.poll(receiver));
        }
    }

    /** Returns the time until the peer has received everything. */
    private static long sendBulk(Channel channel, int count) {
        ByteBuffer bulk = message(EchoPeer.SINK, BULK_BYTES);
        ByteBuffer last = message(EchoPeer.ECHO, PING_BYTES);
        Channel.Receiver nothing = (kind, length) -> {};
        long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            channel.send(bulk, nothing);
        }
        sendAndAwaitEcho(channel, last);
        return System.nanoTime() - beginNs;
    }

    private static void printRoundTrips(String system, long[] roundTripsNs) {
        Arrays.sort(roundTripsNs);
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"rtt\", \"system\": \"%s\", \"bytes\": %d, \"p50_us\": %.1f, \"p99_us\": %.1f,"
                        + " \"p999_us\": %.1f, \"max_us\": %.1f}%n",
                system,
                PING_BYTES,
                percentileUs(roundTripsNs, 0.5),
                percentileUs(roundTripsNs, 0.99),
                percentileUs(roundTripsNs, 0.999),
                percentileUs(roundTripsNs, 1));
    }

    private static void printBandwidth(String system, long durationNs) {
        double seconds = durationNs / 1e9;
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"bandwidth\", \"system\": \"%s\", \"bytes\": %d, \"messages_per_s\": %.0f,"
                        + " \"mb_per_s\": %.1f}%n",
                system,
                BULK_BYTES,
                BULKS / seconds,
                BULKS * (double) BULK_BYTES / seconds / 1e6);
    }

    /** Returns the smallest value that at least this part of the sorted values does not exceed. */
    static double percentileUs(long[] sortedNs, double part) {
        int index = (int) Math.ceil(part * sortedNs.length) - 1;
        return sortedNs[Math.max(0, index)] / NS_PER_US;
    }

    private static Process startPeer(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                EchoPeer.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private static void deleteTree(Path directory) throws IOException {
        List<Path> tree;
        try (var paths = Files.walk(directory)) {
            tree = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : tree) {
            Files.delete(path);
        }
    }
}
