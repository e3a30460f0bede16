// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.util.Objects.requireNonNull;

import io.fiber.Pool;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A page in the browser on what pools do: their workers, the tasks that wait, run and are done, how far long calls
 * are, a timeline of each worker, which tasks have failed, how workers ended, and what they wrote last. It renews itself once in a second.
 *
 * <pre>{@code
 * try (Fiber fiber = Fiber.open();
 *         SessionPage page = SessionPage.open();
 *         Pool pool = page.show(fiber.pool(8))) {
 *     System.out.println("Watch it at " + page.address());
 *     pool.map(...);
 * }
 * }</pre>
 *
 * <p>The page is served on the loopback address only, and only to who knows the secret part of its {@link #address address}; it
 * can be looked at and nothing else. From another host it is reached through a tunnel: {@code ssh -L 8080:127.0.0.1:8080 host}.
 *
 * <p>The timeline comes from the flight recorder of this JVM, which is started for it; a chunk of tasks is on it when it is done.
 * Thread-safe.
 */
public final class SessionPage implements AutoCloseable {

    private final List<PoolWatch> watches = new CopyOnWriteArrayList<>();
    private final Recorder recorder;
    private final LongCalls calls = new LongCalls();
    private final PageServer server;

    private SessionPage(int port) throws IOException {
        recorder = new Recorder();
        try {
            server = new PageServer(port, new PageState(Clock.systemUTC(), watches, recorder, calls));
        } catch (IOException | RuntimeException e) {
            recorder.close();
            calls.close();
            throw e;
        }
    }

    /**
     * Serves a page on a free port.
     *
     * @throws IOException when no port can be had
     */
    public static SessionPage open() throws IOException {
        return open(0);
    }

    /**
     * Serves a page on a port of the loopback address.
     *
     * @param port from 1 to 65535, or 0 for any that is free
     * @throws IllegalArgumentException when it is none of these
     * @throws IOException when the port cannot be had; the message names it
     */
    public static SessionPage open(int port) throws IOException {
        if (port < 0 || port > PageServer.GREATEST_PORT) {
            throw new IllegalArgumentException(
                    "port is " + port + "; expected 1 to " + PageServer.GREATEST_PORT + ", or 0 for any that is free.");
        }
        return new SessionPage(port);
    }

    /** Shows a pool from now on, also when it has ended, until the page is closed. Returns the pool. */
    public <P extends Pool> P show(P pool) {
        watches.add(new PoolWatch(requireNonNull(pool, "pool")));
        return pool;
    }

    /** Returns where the page is. A client that knows it can read what the pools' workers write: it is a secret. */
    public URI address() {
        return server.address();
    }

    /** Ends the page; what it shows goes on. May be called twice. */
    @Override
    public void close() {
        server.close();
        recorder.close();
        calls.close();
    }

    @Override
    public String toString() {
        return "SessionPage[port " + server.address().getPort() + "]";
    }
}
