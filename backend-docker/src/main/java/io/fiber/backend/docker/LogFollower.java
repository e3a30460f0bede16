// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.transport.DockerHttpClient.Response;
import io.fiber.backend.docker.LogEntries.Stream;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.LineStream;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a container's output even if the connection breaks, without losing or repeating lines, on a thread of its
 * own. It attaches to the container's streams before the start, so that the container cannot write faster than it is
 * read: Docker keeps only the last part of a log, so following the log would lose lines. After a break, it searches the
 * log for its position and continues from there. If Docker cannot read a log, it tries again, less and less often. Only
 * {@link #attach} and {@link #finish} wait for Docker. Thread-safe.
 */
final class LogFollower {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LAST_LINES_LIMIT_MS = 2_000;

    /** If Docker cannot read the log now, it probably cannot soon. */
    private static final long LONGEST_AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

    private final Source source;
    private final Pause pause;
    private final Track out;
    private final Track err;

    /** Reached when the container has ended, or its output is not wanted any more. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private @Nullable Thread thread;
    private volatile @Nullable Closeable connection;
    private volatile boolean isCut;
    private volatile boolean isDamaged;

    /** Whether the position in the log is known. It is not while the streams come without timestamps. */
    private volatile boolean isPlaced = true;

    /** Creates a follower that follows nothing yet. */
    LogFollower(Source source, Pause pause) {
        this.source = source;
        this.pause = pause;
        this.out = new Track(source.out());
        this.err = new Track(source.err());
    }

    /** Waits for the latch, and returns whether it has been reached. */
    interface Pause {
        Pause OF_THE_CLOCK = (ended, limitNs) -> ended.await(limitNs, TimeUnit.NANOSECONDS);

        boolean await(CountDownLatch ended, long limitNs) throws InterruptedException;
    }

    /**
     * Whose log it is, and where it goes.
     *
     * @param out lines of standard output
     * @param err lines of standard error
     * @param damage receives reports about entries that cannot be read
     */
    record Source(Engine engine, String id, LineStream out, LineStream err, LogDamage damage) {}

    /** One of the two streams. Only one thread at a time uses it. */
    private static final class Track {
        private final LineStream lines;
        private final LineTrail trail = new LineTrail();
        private LineTrail.Search search = trail.search();
        private LogPosition position = new LogPosition();

        Track(LineStream lines) {
            this.lines = lines;
        }

        void passLive(byte[] piece) {
            trail.add(piece);
            lines.add(piece);
        }

        void search(byte[] entry) {
            search.add(entry);
        }

        /** Continues in the log where the stream was left; false if the log no longer has that position. */
        boolean place() {
            Optional<LogPosition> found = search.position();
            if (found.isEmpty()) {
                lines.end();
            }
            position = found.orElseGet(LogPosition::new);
            return found.isPresent();
        }

        void pass(byte[] entry) {
            position.read(entry).ifPresent(lines::add);
        }
    }

    /**
     * Attaches to a container that has not started, if nothing is followed. Waits for Docker.
     *
     * @throws Refusal if Docker does not attach
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    synchronized void attach() {
        if (thread == null) {
            Response streams = source.engine().attach(source.id());
            isPlaced = false;
            start(() -> LogEntries.pass(streams, receiver(Track::passLive)));
        }
    }

    /** Starts following, if it does not follow already. */
    synchronized void open() {
        if (thread == null) {
            start(this::followLog);
        }
    }

    private void start(Runnable first) {
        thread = BackendThreads.daemons("fiber-docker-output").newThread(() -> follow(first));
        thread.start();
    }

    private void follow(Runnable first) {
        try {
            Runnable next = first;
            long againNs = AGAIN_NS;
            do {
                isDamaged = false;
                attempt(next);
                next = this::followLog;
                againNs = isDamaged ? Math.min(2 * againNs, LONGEST_AGAIN_NS) : AGAIN_NS;
            } while (!pause.await(ended, againNs));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void attempt(Runnable reading) {
        try {
            reading.run();
        } catch (RuntimeException e) {
            debug("Docker's output broke off.", e);
        }
    }

    private void followLog() {
        readLog("&follow=true");
    }

    /** Reads the log from the position where the streams were left; searches for it first if it is unknown. */
    private void readLog(String options) {
        if (!isPlaced) {
            out.search = out.trail.search();
            err.search = err.trail.search();
            source.engine().readLog(source.id(), LogEntries.STAMPS, receiver(Track::search));
            isDamaged = false;
            boolean isWhole = out.place();
            if (!(err.place() && isWhole)) {
                source.damage().tellGap();
            }
            isPlaced = true;
        }
        String rest = LogPosition.expectReplay(out.position, err.position);
        source.engine().readLog(source.id(), LogEntries.STAMPS + rest + options, receiver(Track::pass));
    }

    private LogEntries.Receiver receiver(BiConsumer<Track, byte[]> sink) {
        return new LogEntries.Receiver() {
            @Override
            public void onOpen(Closeable opened) {
                connection = opened;
                if (isCut) {
                    cut();
                }
            }

            @Override
            public void onEntry(Stream stream, byte[] entry) {
                if (!isCut) {
                    sink.accept(stream == Stream.ERR ? err : out, entry);
                }
            }

            @Override
            public void onDamage(String why) {
                isDamaged = true;
                source.damage().tell(why);
            }
        };
    }

    /**
     * Reads the rest of a container that has ended, even if the streams ended normally, because that also happens when
     * Docker stops. Waits for Docker.
     *
     * @throws Refusal if Docker does not return the log
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    synchronized void finish() {
        try {
            ended.countDown();
            if (thread != null) {
                thread.join(LAST_LINES_LIMIT_MS);
                if (thread.isAlive()) {
                    cut();
                    thread.join();
                    isCut = false;
                }
            }
            readLog("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Completes lines that have no line end, and stops following. */
    void end() {
        close();
        out.lines.end();
        err.lines.end();
    }

    /** Stops following. */
    void close() {
        ended.countDown();
        cut();
    }

    private void cut() {
        isCut = true;
        Closeable open = connection;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            debug("A connection to Docker was not closed.", e);
        }
    }

    private static void debug(String what, Exception e) {
        System.getLogger(LogFollower.class.getName()).log(Level.DEBUG, what, e);
    }
}
