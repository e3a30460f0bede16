// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow.Subscription;
import org.junit.jupiter.api.Test;

class OpenRequestsTest {

    /** Otherwise the JDK's thread of that client lives on, and keeps all that the session had read. */
    @Test
    void clientOfASessionThatHasEndedIsCollected() throws IOException {
        HttpServer server = server(exchange -> exchange.sendResponseHeaders(204, -1));
        try {
            awaitCollected(used(server.getAddress().getPort()));
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer server(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
        server.start();
        return server;
    }

    private static void awaitCollected(WeakReference<?> what) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return what.get() == null;
        });
    }

    private static WeakReference<HttpClient> used(int port) {
        OpenRequests requests = new OpenRequests();
        HttpClient client = requests.createNewHttpClientBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
                .build();
        assertThat(client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                        .join()
                        .statusCode())
                .isEqualTo(204);
        requests.end();
        return new WeakReference<>(client);
    }

    @Test
    void bodyThatEndsBeforeItIsTrackedIsForgotten() throws IOException {
        HttpServer server = server(exchange -> {
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('a');
        });
        OpenRequests requests = new OpenRequests();
        try {
            HttpClient client = requests.createNewHttpClientBuilder().build();
            awaitCollected(unwanted(client, server.getAddress().getPort()));
        } finally {
            requests.end();
            server.stop(0);
        }
    }

    private static WeakReference<Object> unwanted(HttpClient client, int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
                .build();
        return new WeakReference<>(
                client.sendAsync(request, head -> new Unwanted()).join().body());
    }

    /** Cancels the body as soon as it can; is itself what was read. */
    private static final class Unwanted implements BodySubscriber<Object> {
        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}

        @Override
        public CompletionStage<Object> getBody() {
            return CompletableFuture.completedFuture(this);
        }
    }

    @Test
    void webSocketThatHasNotOpenedAtTheEndFailsAndItsListenerIsTold() throws Exception {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        OpenRequests requests = new OpenRequests();
        HttpClient client = requests.createNewHttpClientBuilder().build();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI uri = URI.create("ws://localhost:" + server.getLocalPort() + "/");
            CompletableFuture<WebSocket> opening = client.newWebSocketBuilder()
                    .buildAsync(uri, new WebSocket.Listener() {
                        @Override
                        public void onError(WebSocket socket, Throwable failure) {
                            told.add(failure);
                        }
                    });
            try (Socket silent = server.accept()) {
                requests.end();

                assertThatThrownBy(opening::join).isInstanceOf(CancellationException.class);
                assertThat(told).singleElement().asString().contains("The session with this cluster has ended.");
                assertThat(silent.isClosed()).isFalse();
            }
        }
    }
}
