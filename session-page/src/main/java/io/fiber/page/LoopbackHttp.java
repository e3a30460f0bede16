// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Answers HTTP requests on the loopback address, one for each connection, within {@link Limits} that apply even before
 * a request is known to be allowed. The JDK's own server cannot do this: it reads its limits from system properties
 * once in a JVM, for all servers of the program.
 *
 * <p>One thread reads and writes all connections and never blocks; {@value #ANSWERING_THREADS} threads answer.
 */
final class LoopbackHttp implements AutoCloseable {

    static final String THREAD_NAME = "fiber-page";

    /** The platform may take long to return a worker's output; other requests continue meanwhile. */
    private static final int ANSWERING_THREADS = 3;

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** How often time limits are checked while there are connections. */
    private static final long TICK_MS = 100;

    private final Limits limits;
    private final Function<HttpRequest, HttpAnswer> handler;
    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final Selector selector;
    private final SelectionKey accepting;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newFixedThreadPool(ANSWERING_THREADS, LoopbackHttp::thread);
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

    /** In the order in which they were accepted; belongs to the serving thread. */
    private final Set<HttpConnection> connections = new LinkedHashSet<>();

    /** Whether no file descriptor is free for another connection. */
    private boolean isFull;

    private volatile int openConnections;
    private volatile boolean isClosed;

    /**
     * The limits for connections.
     *
     * @param connections how many may be open; one more closes the oldest, preferring those without a whole request
     * @param requestTime how long a request may take to arrive, and a client to close after its answer
     * @param answerTime how long it may take to create and to read an answer
     */
    record Limits(int connections, Duration requestTime, Duration answerTime) {
        static final Limits DEFAULT = new Limits(32, Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    /**
     * Starts serving, until {@link #close}.
     *
     * @param port 0 for any free port
     * @param handler answers a request; several threads call it at the same time, and it is interrupted if its
     *     connection is closed
     * @throws IOException if the port is not available; the message names it
     */
    LoopbackHttp(int port, Limits limits, Function<HttpRequest, HttpAnswer> handler) throws IOException {
        this.limits = limits;
        this.handler = handler;
        this.server = bound(port);
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.selector = Selector.open();
        server.configureBlocking(false);
        this.accepting = server.register(selector, SelectionKey.OP_ACCEPT);
        thread(this::serve).start();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, THREAD_NAME);
        thread.setDaemon(true);
        return thread;
    }

    private static ServerSocketChannel bound(int port) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return server.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port));
        } catch (IOException e) {
            server.close();
            throw new IOException(
                    "The page cannot listen at port " + port + " of the loopback address: " + e.getMessage()
                            + ". Choose another port, or 0 for any free one.",
                    e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    private void serve() {
        try (selector;
                server) {
            while (!isClosed) {
                boolean isIdle = connections.isEmpty() && !isFull;
                if (selector.select(isIdle ? 0 : TICK_MS) == 0 && isFull) {
                    isFull = false;
                    accepting.interestOps(SelectionKey.OP_ACCEPT);
                }
                Runnable answer = answers.poll();
                while (answer != null) {
                    answer.run();
                    answer = answers.poll();
                }
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    serve(key);
                }
                closeOverdue(System.nanoTime());
            }
        } catch (IOException e) {
            System.getLogger(THREAD_NAME).log(System.Logger.Level.WARNING, "The page of the session has ended.", e);
        } finally {
            isClosed = true;
            connections.forEach(HttpConnection::close);
            threads.shutdownNow();
            ended.countDown();
        }
    }

    private void serve(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof HttpConnection connection) {
            connection.proceed(System.nanoTime());
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = server.accept();
            if (channel != null) {
                if (connections.size() >= limits.connections()) {
                    closeOldest();
                }
                connections.add(new HttpConnection(channel, this, System.nanoTime()));
            }
        } catch (IOException e) {
            // No file descriptor is free. Waiting connections are accepted after a pause, when one may be.
            isFull = true;
            accepting.interestOps(0);
            closeOldest();
        }
    }

    /** Returns how many connections are open. Thread-safe. */
    int openConnections() {
        return openConnections;
    }

    private void closeOldest() {
        HttpConnection oldest = null;
        for (HttpConnection connection : connections) {
            if (oldest == null || (oldest.isAnswering() && !connection.isAnswering())) {
                oldest = connection;
            }
        }
        if (oldest != null) {
            oldest.close();
            connections.remove(oldest);
        }
    }

    private void closeOverdue(long nowNs) {
        List<HttpConnection> ended = new ArrayList<>();
        for (HttpConnection connection : connections) {
            if (connection.isOverdue(nowNs)) {
                connection.close();
            }
            if (connection.isClosed()) {
                ended.add(connection);
            }
        }
        ended.forEach(connections::remove);
        openConnections = connections.size();
    }

    Selector selector() {
        return selector;
    }

    Limits limits() {
        return limits;
    }

    ExecutorService threads() {
        return threads;
    }

    HttpAnswer answer(HttpRequest request) {
        return handler.apply(request);
    }

    /** Runs a task in the serving thread. Thread-safe. */
    void later(Runnable task) {
        answers.add(task);
        selector.wakeup();
    }

    /** Closes all connections and frees the port. */
    @Override
    public void close() {
        isClosed = true;
        selector.wakeup();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first line of a request; its other headers and its body are not read. */
    record HttpRequest(String method, String path) {}

    /** An answer to send; {@code type} is a media type. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record HttpAnswer(int status, String type, byte[] body) {

        ByteBuffer encoded() {
            byte[] head = ("HTTP/1.1 " + status + " " + reason() + "\r\n"
                            + "Content-Type: " + type + "\r\n"
                            + "Content-Length: " + body.length + "\r\n"
                            + "Connection: close\r\n"
                            + "Cache-Control: no-store\r\n"
                            + "Referrer-Policy: no-referrer\r\n"
                            + "X-Content-Type-Options: nosniff\r\n"
                            + "Content-Security-Policy: default-src 'self'; frame-ancestors 'none'; base-uri 'none'\r\n"
                            + "\r\n")
                    .getBytes(ISO_8859_1);
            return ByteBuffer.allocate(head.length + body.length)
                    .put(head)
                    .put(body)
                    .flip();
        }

        private String reason() {
            return status == 200 ? "OK" : "Refused";
        }
    }
}
