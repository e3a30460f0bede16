// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import com.sun.net.httpserver.HttpServer;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Downloads pages with the JDK's client, which keeps its own threads, and analyses them in workers. */
public final class HttpWords {
    private HttpWords() {}

    /** Stands for a costly analysis. */
    static int words(String page) {
        return page.split(" ").length;
    }

    /** Stands for the internet: the page /7 has seven words. */
    private static HttpServer serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            int words = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            byte[] page = "word ".repeat(words).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return server;
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = serve();
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            HttpClient client = HttpClient.newHttpClient();
            List<CompletableFuture<Integer>> futures = IntStream.rangeClosed(1, 50)
                    .mapToObj(page ->
                            URI.create("http://localhost:" + server.getAddress().getPort() + "/" + page))
                    .map(uri -> client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                            .thenCompose(response -> pool.applyAsync(HttpWords::words, response.body())))
                    .toList();
            List<Integer> words = futures.stream().map(CompletableFuture::join).toList();
            System.out.println(words);
            Check.that(words.equals(IntStream.rangeClosed(1, 50).boxed().toList()), "as many words as the number");
            Check.ranInWorkers(pool, 50);
        } finally {
            server.stop(0);
        }
    }
}
