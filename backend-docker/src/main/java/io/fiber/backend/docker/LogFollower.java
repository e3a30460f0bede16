// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.fiber.backend.support.LineStream;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows a container's output even if the connection breaks, without losing or repeating lines. It attaches to the
 * container's streams before the start, so that the container cannot write faster than it is read: Docker keeps only
 * the last part of a log, so following the log would lose lines. After a break, it searches the log for its position
 * and continues from there. If Docker cannot read a log, it tries again, less and less often. Only {@link #attach} and
 * {@link #finish} wait for Docker. Thread-safe.
 */
final class LogFollower {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LAST_LINES_LIMIT_MS = 2_000;

    /** If Docker cannot read the log now, it probably cannot soon. */
    private static final long LONGEST_AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

    private final Engine engine;
    private final String id;
    private final Delay delay;
    private final LogDamage damage;
    private final Track out;
    private final Track err;

    /** Held while lines are passed on, which may take as long as their reader likes. */
    private final Object passing = new Object();

    private volatile LogEntries.@Nullable Receiver current;
    private @Nullable Future<?> reopening;
    private long againNs = AGAIN_NS;
    private boolean closed;

    /** Whether the position in the log is known. It is not while the streams come without timestamps. */
    private volatile boolean isPlaced = true;

    /** Creates a follower that follows nothing yet. */
    LogFollower(Source source, Delay delay) {
        this.engine = source.engine();
        this.id = source.id();
        this.delay = delay;
        this.damage = source.damage();
        this.out = new Track(source.out());
        this.err = new Track(source.err());
    }

    /** Runs something later. */
    interface Delay {
        Future<?> after(long delayNs, Runnable action);
    }

    /**
     * Whose log it is, and where it goes.
     *
     * @param out lines of standard output
     * @param err lines of standard error
     * @param damage receives reports about entries that cannot be read
     */
    record Source(Engine engine, String id, LineStream out, LineStream err, LogDamage damage) {}

    /** One of the two streams. Guarded by {@code passing}, except the second, which is a lower bound. */
    private static final class Track {
        private LogPosition position = new LogPosition();
        private final LineStream lines;
        private final StreamTail tail = new StreamTail();
        private volatile int second;

        /** Bytes of the next entry that have already been read. */
        private int known;

        Track(LineStream lines) {
            this.lines = lines;
        }

        void takeUnstamped(byte[] piece) {
            tail.add(piece);
            lines.add(piece);
        }

        void take(byte[] entry) {
            Optional<byte[]> read = position.read(entry);
            if (read.isPresent()) {
                second = position.second().orElse(0);
                byte[] piece = read.get();
                int skipped = Math.min(known, piece.length);
                known -= skipped;
                lines.add(Arrays.copyOfRange(piece, skipped, piece.length));
            }
        }

        /** Continues in the log where the stream was left; false if the log no longer has that position. */
        boolean place(LogSearch search) {
            Optional<LogSearch.Place> place = search.place();
            if (place.isEmpty()) {
                lines.end();
                return false;
            }
            position = place.get().position();
            known = place.get().known();
            second = position.second().orElse(0);
            return true;
        }
    }

    /**
     * Attaches to a container that has not started, if nothing is followed. Waits for Docker.
     *
     * @throws Refusal if Docker does not attach
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    void attach() {
        Attached attached = new Attached();
        synchronized (this) {
            if (closed || current != null || !isPlaced) {
                return;
            }
            current = attached;
            isPlaced = false;
        }
        try {
            engine.ask(docker -> engine.logs().attach(id, attached));
        } catch (RuntimeException e) {
            synchronized (this) {
                current = null;
                isPlaced = true;
            }
            throw e;
        }
    }

    /** Starts following, if it does not follow already. */
    void open() {
        boolean mayFollow = isPlaced;
        LogEntries.Receiver next = mayFollow ? new Listener() : new Finder();
        synchronized (this) {
            if (closed || current != null) {
                return;
            }
            current = next;
        }
        engine.logs().read(request().withFollowStream(mayFollow), next);
    }

    private LogContainerCmd request() {
        LogContainerCmd request = engine.log(id).withTimestamps(true).withTailAll();
        // Of two lines at the same moment, Docker may write the later one first.
        int since = Math.max(out.second, err.second) - 1;
        return since > 0 ? request.withSince(since) : request;
    }

    private synchronized void broken(LogEntries.Receiver which, boolean isDamaged) {
        if (current == which && !closed) {
            current = null;
            againNs = isDamaged ? Math.min(2 * againNs, LONGEST_AGAIN_NS) : AGAIN_NS;
            reopening = delay.after(againNs, this::open);
        }
    }

    /**
     * Reads the rest of a container that has ended. Waits for Docker.
     *
     * @throws Refusal if Docker does not return the log
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    void finish() {
        try {
            awaitEnd(current);
            // Even if the stream ended normally, because that also happens when Docker stops.
            if (isPlaced || hasMoreThanCame()) {
                readNow(new Listener());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasMoreThanCame() {
        Finder finder = new Finder();
        readNow(finder);
        return !(finder.outs.isAtEnd() && finder.errs.isAtEnd());
    }

    /** Stops following, and completes lines that have no line end. */
    void end() {
        close();
        synchronized (passing) {
            out.lines.end();
            err.lines.end();
        }
    }

    private static void awaitEnd(LogEntries.@Nullable Receiver listener) throws InterruptedException {
        if (listener != null) {
            try {
                listener.awaitCompletion(LAST_LINES_LIMIT_MS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, "Docker's log broke.", e);
            }
        }
    }

    private void readNow(LogEntries.Receiver rest) {
        synchronized (this) {
            if (closed) {
                return;
            }
            stop();
            current = rest;
        }
        engine.read(request(), rest);
    }

    /** Stops following. */
    synchronized void close() {
        closed = true;
        stop();
    }

    private synchronized void stop() {
        if (reopening != null) {
            reopening.cancel(false);
        }
        LogEntries.Receiver open = current;
        current = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, "Docker's log was not closed.", e);
            }
        }
    }

    private void placed(Finder finder) {
        synchronized (passing) {
            if (current != finder) {
                return;
            }
            boolean isWhole = out.place(finder.outs);
            if (!(err.place(finder.errs) && isWhole)) {
                damage.tellGap();
            }
            isPlaced = true;
        }
    }

    /** Continues later if the stream breaks off or ends. The reading thread calls it. */
    private abstract class Reading extends LogEntries.Receiver {
        boolean isDamaged;

        @Override
        void onDamage(String why) {
            isDamaged = true;
            damage.tell(why);
        }

        @Override
        public void onError(Throwable failure) {
            super.onError(failure);
            broken(this, isDamaged);
        }

        @Override
        public void onComplete() {
            super.onComplete();
            broken(this, isDamaged);
        }
    }

    /** Receives the live output of the container. */
    private final class Attached extends Reading {
        @Override
        public void onNext(Frame frame) {
            synchronized (passing) {
                if (current == this) {
                    (frame.getStreamType() == StreamType.STDERR ? err : out).takeUnstamped(frame.getPayload());
                }
            }
        }

        @Override
        void onDamage(String why) {
            System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, "Docker broke its stream off: {0}", why);
        }
    }

    /** Searches the log for the position where the streams were left. */
    private final class Finder extends Reading {
        private final LogSearch outs;
        private final LogSearch errs;

        Finder() {
            synchronized (passing) {
                outs = out.tail.search();
                errs = err.tail.search();
            }
        }

        @Override
        public void onNext(Frame frame) {
            (frame.getStreamType() == StreamType.STDERR ? errs : outs).take(frame.getPayload());
        }

        @Override
        public void onComplete() {
            placed(this);
            // The position is known: reading from there is tried soon, whatever is missing before it.
            isDamaged = false;
            super.onComplete();
        }
    }

    /** Passes on what the log has after the position. */
    private final class Listener extends Reading {
        private boolean hasBegun;

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
    }
}
