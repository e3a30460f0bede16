// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A probe's connection to the kit: lines of words, each except the first in Base64. Thread-safe. */
final class HomeLine implements Closeable {

    private static final int DIAL_LIMIT_MS = 20_000;

    private final Socket socket;
    private final BufferedReader reader;

    private HomeLine(Socket socket) throws IOException {
        this.socket = socket;
        this.reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    static HomeLine dial(JobWorld world, String kit) throws IOException {
        int colon = kit.lastIndexOf(':');
        Socket socket = new Socket();
        world.own(socket);
        socket.setTcpNoDelay(true);
        socket.connect(
                new InetSocketAddress(kit.substring(0, colon), Integer.parseInt(kit.substring(colon + 1))),
                DIAL_LIMIT_MS);
        return new HomeLine(socket);
    }

    void say(String word, String text) {
        sayBytes(word, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a line. A closed connection is not an error here, because the reading side notices it. */
    synchronized void sayBytes(String word, byte[] bytes) {
        String line = word + " " + Base64.getEncoder().encodeToString(bytes) + "\n";
        try {
            socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            if (!socket.isClosed()) {
                close();
            }
        }
    }

    /** Waits for the next line and returns its words; none if the kit has closed the connection. */
    List<String> hear() {
        try {
            String line = reader.readLine();
            if (line == null) {
                return List.of();
            }
            String[] parts = line.split(" ", -1);
            List<String> words = new ArrayList<>(List.of(parts[0]));
            for (int i = 1; i < parts.length; i++) {
                words.add(new String(Base64.getDecoder().decode(parts[i]), StandardCharsets.UTF_8));
            }
            return words;
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
