// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpenRequestsTest {

    /** Else the JDK's thread of that client lives on, and keeps all that the session had read. */
    @Test
    void clientOfASessionThatHasEndedIsCollected() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            WeakReference<HttpClient> client = used(server.getAddress().getPort());
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                System.gc();
                return client.get() == null;
            });
        } finally {
            server.stop(0);
        }
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
}
