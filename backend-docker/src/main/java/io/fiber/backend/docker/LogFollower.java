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
 * Follows what a container writes, over breaks of the connection: no line is lost, none comes twice. It is attached to the container's
 * streams before the start, so that the container cannot write faster than it is read: Docker keeps only the last part of a log, and
 * one that is followed loses lines. After a break the log is searched for the place, and read from there on. Thread-safe; waits for
 * Docker in {@link #attach} and {@link #finish} alone. A log that Docker cannot read is tried again more and more seldom.
 */
final class LogFollower {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LAST_LINES_LIMIT_MS = 2_000;

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

    private volatile LogEntries.@Nullable Receiver current;
    private @Nullable Future<?> reopening;
    private long againNs = AGAIN_NS;
    private boolean closed;

    /** Whether the place in the log is known: not while the streams come without stamps. */
    private volatile boolean isPlaced = true;

    /** Creates one that follows nothing yet. */
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
     * Whose log, and where it goes.
     *
     * @param out lines of standard output
     * @param err lines of standard error
     * @param damage who is told of entries that cannot be read
     */
    record Source(Engine engine, String id, LineStream out, LineStream err, LogDamage damage) {}

    /** One of the two streams. Guarded by {@code passing}, but for the second, a lower bound. */
    private static final class Track {
        private LogPosition position = new LogPosition();
        private final LineStream lines;
        private final StreamTail tail = new StreamTail();
        private volatile int second;

        /** Bytes of the next entry that came before. */
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

        /** Goes on in the log where the stream was left; false when the log no longer has that place. */
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
     * @throws Refusal when Docker does not attach
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
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

    /** Begins to follow, if it does not. */
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
        // Of two lines that come at the same moment, Docker may write the later one first.
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
     * @throws Refusal when Docker does not give the log
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
     */
    void finish() {
        try {
            awaitEnd(current);
            // Also when that has ended well: Docker ends it so when it stops.
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

    /** Follows no longer, and ends the lines that have no end. */
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

    /** Follows no longer. */
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

    /** Goes on later when what is read breaks off or ends. Called by the thread that reads it. */
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

    /** Takes what comes from the container itself. */
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

    /** Looks in the log for the place where the streams were left. */
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
            // The place is known: reading from there on is tried soon, whatever is missing before it.
            isDamaged = false;
            super.onComplete();
        }
    }

    /** Passes on what the log has behind the place. */
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
