// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.page.LoopbackHttp.HttpAnswer;
import io.fiber.page.LoopbackHttp.HttpRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its response. Reads the head of the request, lets a handler answer it, writes the answer, and waits
 * until the client closes the connection. Not thread-safe; belongs to the serving thread of {@link LoopbackHttp}.
 */
final class HttpConnection {

    /** A browser sends less than 2 KB. */
    private static final int HEAD_BYTES = 8 << 10;

    private static final String END_OF_HEAD = "\r\n\r\n";

    private final SocketChannel channel;
    private final LoopbackHttp server;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocate(HEAD_BYTES);
    private long deadlineNs;
    private Phase phase = Phase.READING;
    private @Nullable Future<?> answering;
    private ByteBuffer out = ByteBuffer.allocate(0);

    private enum Phase {
        READING,
        ANSWERING,
        WRITING,
        /** The answer is sent. Closing now could take it away from a client that is still sending. */
        ENDING,
        CLOSED
    }

    HttpConnection(SocketChannel channel, LoopbackHttp server, long nowNs) throws IOException {
        this.channel = channel;
        this.server = server;
        this.deadlineNs = nowNs + server.limits().requestTime().toNanos();
        try {
            channel.configureBlocking(false);
            this.key = channel.register(server.selector(), SelectionKey.OP_READ, this);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns whether a whole request has arrived and its answer has not been sent. */
    boolean isAnswering() {
        return phase == Phase.ANSWERING || phase == Phase.WRITING;
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    boolean isOverdue(long nowNs) {
        return nowNs - deadlineNs > 0;
    }

    /** Reads or writes whatever is possible without blocking. */
    void proceed(long nowNs) {
        try {
            switch (phase) {
                case READING -> read(nowNs);
                case WRITING -> write(nowNs);
                case ENDING -> drain();
                case ANSWERING, CLOSED -> {}
            }
        } catch (IOException e) {
            close();
        }
    }

    private void read(long nowNs) throws IOException {
        if (channel.read(in) < 0) {
            close();
            return;
        }
        String head = new String(in.array(), 0, in.position(), ISO_8859_1);
        if (head.contains(END_OF_HEAD)) {
            phase = Phase.ANSWERING;
            key.interestOps(0);
            deadlineNs = nowNs + server.limits().answerTime().toNanos();
            Optional<HttpRequest> request = parse(head);
            if (request.isPresent()) {
                answering = server.threads().submit(() -> answer(request.get()));
            } else {
                reply(refusal(400, "This is not an HTTP request."), nowNs);
            }
        } else if (!in.hasRemaining()) {
            reply(refusal(431, "The head of a request may have " + HEAD_BYTES + " bytes."), nowNs);
        }
    }

    private static Optional<HttpRequest> parse(String head) {
        String[] words = head.substring(0, head.indexOf('\r')).split(" ", -1);
        try {
            return words.length == 3 && words[1].startsWith("/") && words[2].startsWith("HTTP/1.")
                    ? Optional.of(new HttpRequest(
                            words[0], URI.create("http://localhost" + words[1]).getPath()))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void answer(HttpRequest request) {
        HttpAnswer answer;
        try {
            answer = server.answer(request);
        } catch (RuntimeException | Error e) {
            answer = refusal(500, "This cannot be shown: " + e);
        }
        HttpAnswer made = answer;
        server.later(() -> {
            if (phase == Phase.ANSWERING) {
                reply(made, System.nanoTime());
            }
        });
    }

    static HttpAnswer refusal(int status, String why) {
        return new HttpAnswer(status, "text/plain; charset=utf-8", (why + "\n").getBytes(UTF_8));
    }

    private void reply(HttpAnswer answer, long nowNs) {
        out = answer.encoded();
        phase = Phase.WRITING;
        proceed(nowNs);
    }

    private void write(long nowNs) throws IOException {
        channel.write(out);
        if (out.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
        } else {
            channel.shutdownOutput();
            phase = Phase.ENDING;
            deadlineNs = nowNs + server.limits().requestTime().toNanos();
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void drain() throws IOException {
        if (channel.read(in.clear()) < 0) {
            close();
        }
    }

    void close() {
        phase = Phase.CLOSED;
        if (answering != null) {
            answering.cancel(true);
        }
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(LoopbackHttp.THREAD_NAME)
                    .log(System.Logger.Level.DEBUG, "A connection of the page did not close.", e);
        }
    }
}
