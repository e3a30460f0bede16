// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the page to who knows its secret path: {@code /SECRET/} is the page, {@code /SECRET/state} and
 * {@code /SECRET/logs/POOL} are what it asks for. Everybody else is told nothing but 403.
 */
final class PageServer implements AutoCloseable {

    static final int GREATEST_PORT = 0xffff;

    private static final int SECRET_BYTES = 16;
    /** A platform may be slow to say what a worker wrote; the other requests go on meanwhile. */
    private static final int THREADS = 3;

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json";

    private static final Map<String, String> FILES = Map.of(
            "page.html", HTML, "page.css", "text/css; charset=utf-8", "page.js", "text/javascript; charset=utf-8");

    private final byte[] secret;
    private final PageState state;
    private final HttpServer server;
    private final ObjectMapper mapper = new ObjectMapper();
    private final ExecutorService threads;

    PageServer(int port, PageState state) throws IOException {
        this.state = state;
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        this.secret = Base64.getUrlEncoder().withoutPadding().encode(random);
        this.server = bound(port);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "fiber-page");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static HttpServer bound(int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
        } catch (IOException e) {
            throw new IOException(
                    "The page cannot have port " + port + " of the loopback address: " + e.getMessage()
                            + ". Name another one, or 0 for any that is free.",
                    e);
        }
    }

    URI address() {
        InetSocketAddress at = server.getAddress();
        return URI.create("http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + "/"
                + new String(secret, UTF_8) + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/", 3);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders()
                    .set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'");
            if (path.length < 3 || !MessageDigest.isEqual(path[1].getBytes(UTF_8), secret)) {
                refuse(exchange, 403, "This is not the page's address. The program that shows it has printed it.");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                refuse(exchange, 405, "The page can be looked at, and nothing else.");
            } else {
                answer(exchange, path[2]);
            }
        }
    }

    private void answer(HttpExchange exchange, String what) throws IOException {
        String file = what.isEmpty() ? "page.html" : what;
        if (FILES.containsKey(file)) {
            try (InputStream content = Objects.requireNonNull(PageServer.class.getResourceAsStream(file), file)) {
                send(exchange, 200, FILES.get(file), content.readAllBytes());
            }
        } else if (what.equals("state")) {
            send(exchange, 200, JSON, mapper.writeValueAsBytes(state.picture()));
        } else if (what.startsWith("logs/")) {
            send(exchange, 200, JSON, mapper.writeValueAsBytes(state.logs(what.substring("logs/".length()))));
        } else {
            refuse(exchange, 404, "There is nothing here.");
        }
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", (why + "\n").getBytes(UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
