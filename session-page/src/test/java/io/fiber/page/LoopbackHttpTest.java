// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.page.LoopbackHttp.HttpAnswer;
import io.fiber.page.LoopbackHttp.HttpRequest;
import io.fiber.page.LoopbackHttp.Limits;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopbackHttpTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals(LoopbackHttp.THREAD_NAME)));
    }

    private LoopbackHttp serve(Limits limits, Function<HttpRequest, HttpAnswer> handler) throws IOException {
        LoopbackHttp server = new LoopbackHttp(0, limits, handler);
        open.add(server);
        return server;
    }

    private static HttpAnswer ok(HttpRequest request) {
        return new HttpAnswer(200, "text/plain", request.path().getBytes(UTF_8));
    }

    private Socket send(LoopbackHttp server, String text) throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        open.add(socket);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    private static String received(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    /** A connection that is closed with unread bytes is reset. */
    private static boolean isClosedWithoutAnswer(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void connectionsOfOneByteKeepNoRequestWaiting() throws IOException {
        LoopbackHttp server = serve(new Limits(3, LONG, LONG), LoopbackHttpTest::ok);
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slow.add(send(server, "G"));
        }

        assertThat(received(send(server, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n")))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .endsWith("\r\n\r\n/a");
        assertThat(isClosedWithoutAnswer(slow.get(0))).isTrue();
        slow.get(2).getOutputStream().write("ET /b HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
        assertThat(received(slow.get(2))).endsWith("/b");
    }

    @Test
    void connectionsAboveTheLimitCloseTheOldest() throws IOException {
        LoopbackHttp server = serve(new Limits(8, LONG, LONG), LoopbackHttpTest::ok);
        List<Socket> idle = new ArrayList<>();
        for (int i = 0; i < 196; i++) {
            idle.add(send(server, ""));
        }

        for (Socket socket : idle.subList(0, 188)) {
            assertThat(isClosedWithoutAnswer(socket)).isTrue();
        }
        Socket last = idle.get(195);
        last.getOutputStream().write("GET /last HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
        assertThat(received(last)).endsWith("/last");
    }

    @Test
    void requestThatDoesNotArriveInTimeIsClosed() throws IOException {
        LoopbackHttp server = serve(new Limits(3, SHORT, LONG), LoopbackHttpTest::ok);

        assertThat(isClosedWithoutAnswer(send(server, "GET /a HTTP/1.1\r\n"))).isTrue();
    }

    @Test
    void clientThatDoesNotReadItsAnswerIsClosed() throws IOException {
        AtomicInteger answers = new AtomicInteger();
        int bodyBytes = 64 << 20;
        LoopbackHttp server = serve(new Limits(3, LONG, SHORT), request -> {
            answers.incrementAndGet();
            return new HttpAnswer(200, "text/plain", new byte[bodyBytes]);
        });
        Socket deaf = send(server, "GET /a HTTP/1.1\r\n\r\n");

        await().until(() -> answers.get() == 1);
        await().until(() -> server.openConnections() == 0);
        try {
            assertThat(deaf.getInputStream().readAllBytes()).hasSizeLessThan(bodyBytes);
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void answerThatTakesTooLongIsInterrupted() throws IOException {
        CountDownLatch interrupted = new CountDownLatch(1);
        LoopbackHttp server = serve(new Limits(3, LONG, SHORT), request -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            return ok(request);
        });

        assertThat(isClosedWithoutAnswer(send(server, "GET /a HTTP/1.1\r\n\r\n")))
                .isTrue();
        await().until(() -> interrupted.getCount() == 0);
    }

    @Test
    void whatIsNoRequestIsRefused() throws IOException {
        LoopbackHttp server = serve(Limits.DEFAULT, LoopbackHttpTest::ok);

        assertThat(received(send(server, "hello\r\n\r\n")))
                .startsWith("HTTP/1.1 400 ")
                .endsWith("This is not an HTTP request.\n");
        assertThat(received(send(server, "GET /a%zz HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 400 ");
        assertThat(received(send(server, "GET /" + "a".repeat(8 << 10))))
                .startsWith("HTTP/1.1 431 ")
                .endsWith("The head of a request may have 8192 bytes.\n");
    }

    @Test
    void handlerThatThrowsIsAnAnswer() throws IOException {
        LoopbackHttp server = serve(Limits.DEFAULT, request -> {
            throw new IllegalStateException("no such pool");
        });

        assertThat(received(send(server, "GET /a HTTP/1.1\r\n\r\n")))
                .startsWith("HTTP/1.1 500 ")
                .endsWith("This cannot be shown: java.lang.IllegalStateException: no such pool\n");
    }
}
