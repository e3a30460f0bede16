// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a container writes, over breaks of the connection: no line is lost, none comes twice. Thread-safe; waits for
 * Docker in {@link #finish} alone. A log that Docker cannot read is tried again more and more seldom.
 */
final class LogFollower {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LAST_LINES_LIMIT_MS = 2_000;
    private static final long ANSWER_LIMIT_S = 30;

    /** What Docker cannot read now it can hardly read soon. */
    private static final long LONGEST_AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

    private final Engine engine;
    private final String id;
    private final Delay delay;
    private final LogDamage damage;
    private final Track out;
    private final Track err;

    /** Held while lines are passed on, which may take as long as their reader likes. */
    private final Object passing = new Object();

    private volatile @Nullable Listener current;
    private @Nullable Future<?> reopening;
    private long againNs = AGAIN_NS;
    private boolean closed;

    /** Creates one that follows nothing yet. */
    LogFollower(Source source, Delay delay) {
        this.engine = source.engine();
        this.id = source.id();
        this.delay = delay;
        this.damage = source.damage();
        this.out = new Track(source.out());
        this.err = new Track(source.err());
    }

    /** Who runs something later. */
    interface Delay {
        Future<?> after(long delayNs, Runnable action);
    }

    /**
     * Whose log, and where it goes.
     *
     * @param out lines of standard output
     * @param err lines of standard error
     * @param damage who is told of entries that cannot be read
     */
    record Source(Engine engine, String id, LineBuffer.Stream out, LineBuffer.Stream err, LogDamage damage) {}

    /** One of the two streams. Guarded by {@code passing}, but for the second, a lower bound. */
    private static final class Track {
        private final LogPosition position = new LogPosition();
        private final LineBuffer.Stream lines;
        private volatile int second;

        Track(LineBuffer.Stream lines) {
            this.lines = lines;
        }

        void take(byte[] entry) {
            Optional<byte[]> piece = position.read(entry);
            if (piece.isPresent()) {
                second = position.second().orElse(0);
                lines.add(piece.get());
            }
        }
    }

    /** Begins to follow, if it does not. */
    void open() {
        Listener listener = new Listener();
        synchronized (this) {
            if (closed || current != null) {
                return;
            }
            current = listener;
        }
        engine.logs().read(request().withFollowStream(true), listener);
    }

    private LogContainerCmd request() {
        LogContainerCmd request = engine.log(id).withTimestamps(true).withTailAll();
        // Of two lines that come at the same moment, Docker may write the later one first.
        int since = Math.max(out.second, err.second) - 1;
        return since > 0 ? request.withSince(since) : request;
    }

    private synchronized void broken(Listener which) {
        if (current == which && !closed) {
            current = null;
            againNs = which.isDamaged ? Math.min(2 * againNs, LONGEST_AGAIN_NS) : AGAIN_NS;
            reopening = delay.after(againNs, this::open);
        }
    }

    /**
     * Reads the rest of a container that has ended. Waits for Docker.
     *
     * @throws Refusal when Docker does not give the log
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
     */
    void finish() {
        try {
            awaitEnd(current);
            // Also when that has ended well: Docker ends it so when it stops.
            readRest();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Follows no longer, and ends the lines that have no end. */
    void end() {
        close();
        synchronized (passing) {
            out.lines.end();
            err.lines.end();
        }
    }

    private static void awaitEnd(@Nullable Listener listener) throws InterruptedException {
        if (listener != null) {
            try {
                listener.awaitCompletion(LAST_LINES_LIMIT_MS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, "Docker's log broke.", e);
            }
        }
    }

    private void readRest() {
        Listener rest = new Listener();
        synchronized (this) {
            if (closed) {
                return;
            }
            stop();
            current = rest;
        }
        engine.ask(docker -> {
            try {
                if (!engine.logs().read(request(), rest).awaitCompletion(ANSWER_LIMIT_S, TimeUnit.SECONDS)) {
                    throw new BackendUnavailableException("FBR-160 Docker did not send the log of a container within "
                            + ANSWER_LIMIT_S + " s; try again.");
                }
                return rest;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BackendUnavailableException("Reading the log of a container was interrupted.", e);
            }
        });
    }

    /** Follows no longer. */
    synchronized void close() {
        closed = true;
        stop();
    }

    private synchronized void stop() {
        if (reopening != null) {
            reopening.cancel(false);
        }
        Listener open = current;
        current = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, "Docker's log was not closed.", e);
            }
        }
    }

    /** Called by the thread that reads the log. */
    private final class Listener extends LogEntries.Receiver {
        private boolean hasBegun;
        private boolean isDamaged;

        @Override
        public void onNext(Frame frame) {
            synchronized (passing) {
                if (current != this) {
                    return;
                }
                if (!hasBegun) {
                    hasBegun = true;
                    out.position.rewind();
                    err.position.rewind();
                }
                (frame.getStreamType() == StreamType.STDERR ? err : out).take(frame.getPayload());
            }
        }

        @Override
        void onDamage(String why) {
            isDamaged = true;
            damage.tell(why);
        }

        @Override
        public void onError(Throwable failure) {
            super.onError(failure);
            broken(this);
        }

        @Override
        public void onComplete() {
            super.onComplete();
            broken(this);
        }
    }
}
