// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Answers who says the right word over UDP with the time of this host, until it is closed. */
final class Echo implements AutoCloseable {

    private static final int QUESTION_BYTES = 256;

    private final DatagramSocket socket;
    private final String word;
    private final Thread thread;

    private Echo(DatagramSocket socket, String word) {
        this.socket = socket;
        this.word = word;
        this.thread = new Thread(this::answer, "fiber-doctor-echo");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Listens at the first port of these that is free.
     *
     * @throws IOException when there is none
     */
    static Echo at(InetAddress address, List<Integer> ports, String word) throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (int port : ports) {
            try {
                return new Echo(new DatagramSocket(new InetSocketAddress(address, port)), word);
            } catch (SocketException e) {
                failures.add(e);
            }
        }
        throw failures.isEmpty() ? new IOException("no port was named") : failures.get(0);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void answer() {
        DatagramPacket packet = new DatagramPacket(new byte[QUESTION_BYTES], QUESTION_BYTES);
        try {
            while (true) {
                packet.setLength(QUESTION_BYTES);
                socket.receive(packet);
                String said = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
                if (said.equals(word)) {
                    byte[] now = Long.toString(System.currentTimeMillis()).getBytes(StandardCharsets.US_ASCII);
                    socket.send(new DatagramPacket(now, now.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // The socket was closed, or the network is gone: the job says that it got no answer.
            return;
        }
    }

    @Override
    public void close() {
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
