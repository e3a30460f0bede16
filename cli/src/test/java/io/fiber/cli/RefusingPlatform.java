// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine of Docker and an API server in one, which take everything but a start. Thread-safe. */
final class RefusingPlatform implements AutoCloseable {

    static final String REFUSAL = "nothing starts here";

    private static final int NO_BODY = -1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger archives = new AtomicInteger();

    RefusingPlatform() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url(String scheme) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort();
    }

    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {server: "%s"}
                users:
                - name: u
                  user: {token: secret}
                contexts:
                - name: here
                  context: {cluster: c, user: u}
                """.formatted(url("http"));
    }

    /** Returns how many archives have come. */
    int archives() {
        return archives.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String request = exchange.getRequestMethod() + " "
                    + exchange.getRequestURI().getPath().replaceFirst("^/v[0-9.]+/", "/");
            if (request.startsWith("PUT ") && new String(body, StandardCharsets.ISO_8859_1).contains("ustar")) {
                archives.incrementAndGet();
            }
            if (request.matches("POST /containers/.*/start")) {
                give(exchange, 500, "{\"message\": \"" + REFUSAL + "\"}");
            } else if (request.matches("(PUT|DELETE|POST) /containers/.*") && !request.endsWith("/create")) {
                give(exchange, 200, "");
            } else if (request.startsWith("POST /apis/authorization.k8s.io/")) {
                give(
                        exchange,
                        201,
                        "{\"kind\": \"SelfSubjectAccessReview\", \"apiVersion\": \"authorization.k8s.io/v1\","
                                + " \"status\": {\"allowed\": true}}");
            } else if (request.startsWith("POST /api/")) {
                give(
                        exchange,
                        403,
                        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"code\": 403,"
                                + " \"reason\": \"Forbidden\", \"message\": \"" + REFUSAL + "\"}");
            } else if (request.startsWith("GET /api")) {
                give(
                        exchange,
                        200,
                        "{\"kind\": \"PodList\", \"apiVersion\": \"v1\","
                                + " \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}");
            } else if (request.equals("GET /containers/json")) {
                give(exchange, 200, "[]");
            } else {
                give(exchange, request.startsWith("POST") ? 201 : 200, """
                        {"Id": "c1", "Name": "n", "OSType": "linux", "OperatingSystem": "none", "NCPU": 1, "Volumes": [],
                         "State": {"Status": "created", "Running": false, "ExitCode": 0},
                         "IPAM": {"Config": [{"Subnet": "127.0.0.0/8", "Gateway": "127.0.0.1"}]}}
                        """);
            }
        }
    }

    private static void give(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? NO_BODY : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
