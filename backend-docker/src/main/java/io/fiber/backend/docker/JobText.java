// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.fiber.backend.support.LastLines;
import io.fiber.backend.support.LineStream;
import io.fiber.backend.support.OutputSinks;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The output of one container. If it goes to the console or to a file of this host, it is followed; otherwise Docker
 * keeps it and is asked. Thread-safe.
 */
final class JobText {

    /** Docker has answered before each of them: if a container has given no log by then, it has none. */
    private static final int MOST_TRIES = 10;

    private final Engine engine;
    private final String id;
    private final LogDamage damage;
    private final @Nullable LogFollower follower;
    private final AtomicInteger tries = new AtomicInteger();
    private LastLines kept;
    private boolean isFollowed;
    private boolean finished;

    private JobText(Author author, LogDamage damage, LastLines kept, @Nullable LogFollower follower) {
        this.engine = author.engine();
        this.id = author.id();
        this.damage = damage;
        this.kept = kept;
        this.follower = follower;
    }

    /**
     * Whose output it is.
     *
     * @param engine the engine that is asked
     * @param id id of the container
     * @param job name of the job
     */
    record Author(Engine engine, String id, String job) {}

    /**
     * Returns the output of a container.
     *
     * @throws JobRejectedException FBR-168 if the directory of log files cannot be created
     */
    static JobText of(Author author, JobOutput output, LogFollower.Delay delay) {
        LastLines kept = new LastLines();
        LogDamage damage = new LogDamage(author.job());
        LogFollower follower = OutputSinks.of(output, author.job(), "FBR-168")
                .map(sinks -> new LogFollower.Source(
                        author.engine(), author.id(), kept.stream(sinks.out()), kept.stream(sinks.err()), damage))
                .map(source -> new LogFollower(source, delay))
                .orElse(null);
        return new JobText(author, damage, kept, follower);
    }

    /**
     * Attaches to a container that has not started, if its output is forwarded. Waits for Docker.
     *
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    void attach() {
        if (follower == null) {
            return;
        }
        synchronized (this) {
            isFollowed = true;
        }
        try {
            follower.attach();
        } catch (Refusal e) {
            System.getLogger(JobText.class.getName())
                    .log(Level.DEBUG, "Docker does not attach to the container; its log is followed.", e);
        }
    }

    /** Starts following, if the output is forwarded. Does not wait. */
    void follow() {
        if (follower != null) {
            synchronized (this) {
                isFollowed = true;
            }
            follower.open();
        }
    }

    /**
     * Fetches the last lines of a container that has ended. Waits for Docker. A log that Docker has but does not return
     * is given up after some attempts.
     *
     * @throws BackendUnavailableException if Docker does not answer; you may call it again
     */
    void finish() {
        try {
            takeLastLines();
        } catch (Refusal e) {
            // If the container is gone, so are its last lines.
            if (!e.isNotFound() && !e.isConflict() && !e.isNotOffered()) {
                damage.tell(e.words());
            }
        } catch (BackendUnavailableException e) {
            if (tries.incrementAndGet() < MOST_TRIES) {
                throw e;
            }
            damage.tell(String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause()));
        }
        if (follower != null) {
            follower.end();
        }
        synchronized (this) {
            finished = true;
        }
    }

    private void takeLastLines() {
        if (follower != null) {
            follower.finish();
            return;
        }
        LastLines lines = ask(LastLines.MOST_LINES);
        synchronized (this) {
            kept = lines;
        }
    }

    /**
     * Returns the last lines, oldest first. Waits for Docker while the container runs and its output is not forwarded.
     */
    List<String> last(int count) {
        synchronized (this) {
            if (finished || isFollowed) {
                return kept.last(count);
            }
        }
        try {
            return ask(Math.min(count, LastLines.MOST_LINES)).last(count);
        } catch (Refusal e) {
            return List.of();
        }
    }

    private LastLines ask(int count) {
        LastLines lines = new LastLines();
        try (Lines answer = new Lines(lines, damage)) {
            engine.read(engine.log(id).withTail(count), answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    /** Stops following. */
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    /** Receives the entries that Docker sends. */
    private static final class Lines extends LogEntries.Receiver {
        private final LineStream out;
        private final LineStream err;
        private final LogDamage damage;

        Lines(LastLines kept, LogDamage damage) {
            this.out = kept.stream();
            this.err = kept.stream();
            this.damage = damage;
        }

        @Override
        void onDamage(String why) {
            damage.tell(why);
        }

        @Override
        public void onNext(Frame frame) {
            (frame.getStreamType() == StreamType.STDERR ? err : out).add(frame.getPayload());
        }

        @Override
        public void onComplete() {
            out.end();
            err.end();
            super.onComplete();
        }
    }
}
