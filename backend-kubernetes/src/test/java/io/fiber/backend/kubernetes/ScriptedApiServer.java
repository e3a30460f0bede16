// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers as an API server would, by a script of the test; no cluster is there. Thread-safe. */
final class ScriptedApiServer implements AutoCloseable {

    /** Where namespace {@code jobs} is. */
    static final String NAMESPACE = "/api/v1/namespaces/jobs";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    ScriptedApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** What one request gets. */
    interface Answer {
        void give(HttpExchange exchange) throws IOException;

        /** A whole answer, JSON. */
        static Answer of(int status, String body) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            return exchange -> {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            };
        }

        /** A refusal. */
        static Answer refusal(String words) {
            return of(
                    403,
                    "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"reason\": \"Forbidden\","
                            + " \"code\": 403, \"message\": \"" + words.replace("\"", "\\\"") + "\"}");
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.setStreams(
                    new ByteArrayInputStream(exchange.getRequestBody().readAllBytes()), null);
            String request =
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            answers.getOrDefault(request, Answer.of(404, "{}")).give(exchange);
        }
    }

    /** Has a request answered, such as {@code GET /version}. */
    ScriptedApiServer with(String request, Answer answer) {
        answers.put(request, answer);
        return this;
    }

    /** Returns what was asked, with the queries. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /**
     * Returns a cluster that this is the API server of.
     *
     * @param user what the kubeconfig has of the user, as YAML
     */
    Cluster connect(Path directory, String user) throws IOException {
        return Cluster.connect(new ClusterAddress(kubeconfig(directory, user).toString(), "", "", "from a test"));
    }

    /** Writes the file {@code kubeconfig} that leads here. */
    Path kubeconfig(Path directory, String user) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {server: "http://127.0.0.1:%d"}
                users:
                - name: u
                  user: {%s}
                contexts:
                - name: here
                  context: {cluster: c, user: u, namespace: jobs}
                """.formatted(
                        server.getAddress().getPort(), user));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
