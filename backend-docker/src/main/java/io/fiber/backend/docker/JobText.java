// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.backend.support.LastLines;
import io.fiber.backend.support.LineStream;
import io.fiber.backend.support.OutputSinks;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The output of one container. If it goes to the console or to a file of this host, it is followed; otherwise Docker
 * keeps it and is asked. Thread-safe.
 */
final class JobText {

    /** Docker answers another request before each attempt; a log that still cannot be read is given up. */
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
    static JobText of(Author author, JobOutput output, LogFollower.Pause pause) {
        LastLines kept = new LastLines();
        LogDamage damage = new LogDamage(author.job());
        LogFollower follower = OutputSinks.of(output, author.job(), "FBR-168")
                .map(sinks -> new LogFollower.Source(
                        author.engine(), author.id(), kept.stream(sinks.out()), kept.stream(sinks.err()), damage))
                .map(source -> new LogFollower(source, pause))
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
            damage.tell(String.valueOf(Engine.deepest(e)));
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
        Lines answer = new Lines(lines.stream(), lines.stream(), damage);
        engine.readLog(id, "&tail=" + count, answer);
        answer.out.end();
        answer.err.end();
        return lines;
    }

    /** Stops following. */
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    /** Receives the entries that Docker sends. */
    private record Lines(LineStream out, LineStream err, LogDamage damage) implements LogEntries.Receiver {
        @Override
        public void onDamage(String why) {
            damage.tell(why);
        }

        @Override
        public void onEntry(LogEntries.Stream stream, byte[] entry) {
            (stream == LogEntries.Stream.ERR ? err : out).add(entry);
        }
    }
}
