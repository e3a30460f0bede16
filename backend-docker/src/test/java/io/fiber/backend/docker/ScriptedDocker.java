// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers as a daemon would, by a script of the test; no Docker is there. Thread-safe. */
final class ScriptedDocker implements AutoCloseable {

    private static final int NO_BODY = -1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    ScriptedDocker() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** What one request gets. */
    interface Answer {
        void give(HttpExchange exchange) throws IOException;

        /** A whole answer. */
        static Answer of(int status, byte[] body) {
            return exchange -> {
                exchange.sendResponseHeaders(status, body.length == 0 ? NO_BODY : body.length);
                if (body.length > 0) {
                    exchange.getResponseBody().write(body);
                }
            };
        }

        static Answer of(int status, String body) {
            return of(status, body.getBytes(StandardCharsets.UTF_8));
        }

        /** An answer of which the end is missing. */
        static Answer brokenOff(byte[] body) {
            return exchange -> {
                exchange.sendResponseHeaders(200, body.length + 1);
                exchange.getResponseBody().write(body);
            };
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath().replaceFirst("^/v[0-9.]+", "");
            String request = exchange.getRequestMethod() + " " + path;
            requests.add(request);
            answers.getOrDefault(request, Answer.of(500, "{\"message\":\"not in the script\"}"))
                    .give(exchange);
        }
    }

    /** Has a request answered, such as {@code GET /info}. */
    ScriptedDocker with(String request, Answer answer) {
        answers.put(request, answer);
        return this;
    }

    /** Returns how often something was asked. */
    long count(String request) {
        return requests.stream().filter(request::equals).count();
    }

    Engine connect() {
        return Engine.connect(new DaemonAddress(url(), "", "from a test"));
    }

    String url() {
        return "tcp://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns an entry of a log as Docker sends it. */
    static byte[] framed(int stream, String entry) {
        byte[] text = entry.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + text.length)
                .put((byte) stream)
                .putInt(4, text.length)
                .put(8, text)
                .array();
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
