// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.tck.clause.ClauseFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.net.ExtendedSocketOptions;

/** The call of a probe: what it reported, and the commands it receives. Thread-safe. */
final class ProbeCall implements AutoCloseable {

    private static final int KEEP_SECONDS = 5;
    private static final int KEEP_COUNT = 5;

    private final Socket socket;
    private final Map<String, byte[]> facts = new ConcurrentHashMap<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger done = new AtomicInteger();
    private final Thread reader;
    private volatile boolean gone;

    private ProbeCall(Socket socket) {
        this.socket = socket;
        this.reader = new Thread(this::read, "fiber-tck-call-" + socket.getPort());
        reader.setDaemon(true);
    }

    static ProbeCall answer(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        // If a network ends together with its last process, the last message, that the connection is closed, may be
        // lost.
        socket.setKeepAlive(true);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_SECONDS);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_SECONDS);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_COUNT);
        ProbeCall call = new ProbeCall(socket);
        call.reader.start();
        return call;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int blank = line.indexOf(' ');
                take(line.substring(0, blank), Base64.getDecoder().decode(line.substring(blank + 1)));
            }
        } catch (IOException e) {
            facts.put("hang-up", String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
        } finally {
            gone = true;
        }
    }

    private void take(String word, byte[] value) {
        switch (word) {
            case "event" -> events.add(new String(value, StandardCharsets.UTF_8));
            case "done" -> done.incrementAndGet();
            default -> facts.put(word, value);
        }
    }

    boolean isReady() {
        return facts.containsKey("ready");
    }

    /**
     * Returns whether the probe's process has ended, which means that the operating system has closed its connection.
     */
    boolean isGone() {
        return gone;
    }

    String fact(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    byte[] bytes(String name) {
        return facts.getOrDefault(name, new byte[0]);
    }

    List<String> list(String name) {
        return fact(name).isEmpty() ? List.of() : Arrays.asList(fact(name).split("\0", -1));
    }

    boolean saw(String event) {
        return events.contains(event);
    }

    int done() {
        return done.get();
    }

    /** Tells the probe to do something; it answers with one more {@link #done}, unless it ends. */
    void tell(String command, String argument) {
        String line =
                command + " " + Base64.getEncoder().encodeToString(argument.getBytes(StandardCharsets.UTF_8)) + "\n";
        try {
            socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new ClauseFailure(
                    "BKD-203", "the program was gone before it was told '" + command + "': " + e.getMessage() + ".", e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            reader.join(5_000);
        } catch (IOException e) {
            gone = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
