// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers callers that send the right word, over UDP or TCP, with the time of this host, until it is closed. */
final class Echo implements AutoCloseable {

    private static final int QUESTION_BYTES = 256;
    private static final int QUESTION_LIMIT_MS = 10_000;

    private final DatagramSocket datagrams;
    private final ServerSocket connections;
    private final String word;
    private final List<Thread> threads;
    private volatile @Nullable Socket caller;

    private interface Bind<S> {
        S at(InetSocketAddress address) throws IOException;
    }

    /**
     * Listens at the first of these ports that are free.
     *
     * @throws IOException if none is free
     */
    Echo(InetAddress address, List<Integer> ports, String word) throws IOException {
        this.word = word;
        this.datagrams = first(address, ports, DatagramSocket::new);
        try {
            this.connections =
                    first(address, ports, at -> new ServerSocket(at.getPort(), QUESTION_BYTES, at.getAddress()));
        } catch (IOException e) {
            datagrams.close();
            throw e;
        }
        this.threads = List.of(
                new Thread(this::answerDatagrams, "fiber-doctor-udp"),
                new Thread(this::answerConnections, "fiber-doctor-tcp"));
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
    }

    private static <S extends Closeable> S first(InetAddress address, List<Integer> ports, Bind<S> bind)
            throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (int port : ports) {
            try {
                return bind.at(new InetSocketAddress(address, port));
            } catch (IOException e) {
                failures.add(e);
            }
        }
        throw failures.isEmpty() ? new IOException("no port was named") : failures.get(0);
    }

    int udpPort() {
        return datagrams.getLocalPort();
    }

    int tcpPort() {
        return connections.getLocalPort();
    }

    private byte[] answer(byte[] said, int length) {
        return new String(said, 0, length, StandardCharsets.US_ASCII).equals(word)
                ? Long.toString(System.currentTimeMillis()).getBytes(StandardCharsets.US_ASCII)
                : new byte[0];
    }

    private void answerDatagrams() {
        DatagramPacket packet = new DatagramPacket(new byte[QUESTION_BYTES], QUESTION_BYTES);
        try {
            while (true) {
                packet.setLength(QUESTION_BYTES);
                datagrams.receive(packet);
                byte[] answer = answer(packet.getData(), packet.getLength());
                if (answer.length > 0) {
                    datagrams.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // The socket was closed, or the network is gone: the job reports that it got no answer.
            return;
        }
    }

    private void answerConnections() {
        while (!connections.isClosed()) {
            try (Socket accepted = connections.accept()) {
                caller = accepted;
                if (connections.isClosed()) {
                    return;
                }
                accepted.setSoTimeout(QUESTION_LIMIT_MS);
                byte[] said = accepted.getInputStream().readNBytes(QUESTION_BYTES);
                accepted.getOutputStream().write(answer(said, said.length));
            } catch (IOException e) {
                // The job reports that it got no answer.
            }
        }
    }

    @Override
    public void close() {
        datagrams.close();
        try {
            connections.close();
            Socket last = caller;
            if (last != null) {
                last.close();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
