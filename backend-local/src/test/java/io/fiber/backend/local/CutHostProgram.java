// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.tck.fault.PrivateNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;

/** Says of two hosts of a network whether anything arrives from them while they are cut off. Runs in a sandbox. */
final class CutHostProgram {

    private static final int PORT = 4711;
    private static final String SENDER = "while true; do echo here > /dev/udp/$1/$2; sleep 0.02; done";
    private static final Duration PAUSE = Duration.ofMillis(300);

    private CutHostProgram() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        PrivateNetwork network = new PrivateNetwork();
        List<PrivateNetwork.Host> hosts = List.of(network.host(), network.host());
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(network.address(), PORT)).configureBlocking(false);
            for (PrivateNetwork.Host host : hosts) {
                watch(host, network.address().getHostAddress(), channel);
            }
        }
    }

    private static void watch(PrivateNetwork.Host host, String address, DatagramChannel channel)
            throws IOException, InterruptedException {
        Process sender = new ProcessBuilder(
                        host.command(List.of("bash", "-c", SENDER, "sender", address, Integer.toString(PORT))))
                .start();
        try {
            awaitOne(channel);
            host.cut();
            LocalFiber.last(PAUSE);
            count(channel);
            LocalFiber.last(PAUSE);
            System.out.println("arrived " + count(channel));
            host.join();
            awaitOne(channel);
        } finally {
            sender.destroyForcibly().waitFor();
        }
    }

    private static void awaitOne(DatagramChannel channel) throws IOException, InterruptedException {
        while (count(channel) == 0) {
            LocalFiber.last(PAUSE);
        }
    }

    private static int count(DatagramChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        int count = 0;
        while (channel.receive(buffer) != null) {
            buffer.clear();
            count++;
        }
        return count;
    }
}
