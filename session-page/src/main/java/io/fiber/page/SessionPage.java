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
 * A page in the browser that shows what pools do: their workers, waiting, running and finished tasks, the progress of
 * long calls, a timeline of each worker, failed tasks, how workers ended, and the last lines they wrote. It updates
 * itself once a second.
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
 * <p>The page is served only on the loopback address, and only to clients that know the secret part of its {@link
 * #address address}. It is read-only. From another host, use a tunnel: {@code ssh -L 8080:127.0.0.1:8080 host}.
 *
 * <p>The timeline comes from the flight recorder of this JVM, which the page starts. It shows a chunk of tasks when it
 * is done. Thread-safe.
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
     * @throws IOException if no port is available
     */
    public static SessionPage open() throws IOException {
        return open(0);
    }

    /**
     * Serves a page on a port of the loopback address.
     *
     * @param port from 1 to 65535, or 0 for any free port
     * @throws IllegalArgumentException if {@code port} is out of range
     * @throws IOException if the port is not available; the message names it
     */
    public static SessionPage open(int port) throws IOException {
        if (port < 0 || port > PageServer.GREATEST_PORT) {
            throw new IllegalArgumentException(
                    "port is " + port + "; expected 1 to " + PageServer.GREATEST_PORT + ", or 0 for any that is free.");
        }
        return new SessionPage(port);
    }

    /** Shows a pool until the page is closed, even after the pool has ended. Returns the pool. */
    public <P extends Pool> P show(P pool) {
        watches.add(new PoolWatch(requireNonNull(pool, "pool")));
        return pool;
    }

    /**
     * Returns the address of the page. It is a secret: a client that knows it can read what the pools' workers write.
     */
    public URI address() {
        return server.address();
    }

    /** Ends the page. The pools that it shows continue. Idempotent. */
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
