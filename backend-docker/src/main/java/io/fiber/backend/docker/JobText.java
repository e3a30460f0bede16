// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one container writes. Where it goes to the console or to a file of this host it is followed; else Docker keeps it and
 * is asked. Thread-safe.
 */
final class JobText {

    private static final long ANSWER_LIMIT_S = 30;

    /** Docker has answered before each of them: who gives no log by then has none. */
    private static final int MOST_TRIES = 10;

    private final Engine engine;
    private final String id;
    private final LogDamage damage;
    private final @Nullable LogFollower follower;
    private final AtomicInteger tries = new AtomicInteger();
    private LineBuffer kept;
    private boolean isFollowed;
    private boolean finished;

    /** Where the lines of both streams go. */
    private record Sinks(Consumer<byte[]> out, Consumer<byte[]> err) {}

    private JobText(Author author, LogDamage damage, LineBuffer kept, @Nullable LogFollower follower) {
        this.engine = author.engine();
        this.id = author.id();
        this.damage = damage;
        this.kept = kept;
        this.follower = follower;
    }

    /**
     * Whose text it is.
     *
     * @param engine who is asked
     * @param id the container
     * @param job its name
     */
    record Author(Engine engine, String id, String job) {}

    /**
     * Returns the text of a container.
     *
     * @throws JobRejectedException when the directory of log files cannot be made
     */
    static JobText of(Author author, JobOutput output, LogFollower.Delay delay) {
        if (output instanceof JobOutput.Console) {
            // Looked up for each line, so that a program may replace them at any time.
            return followed(author, new Sinks(to(() -> System.out), to(() -> System.err)), delay);
        }
        if (output instanceof JobOutput.Files files) {
            Consumer<byte[]> file = toFile(files.directory().toAbsolutePath(), author.job());
            return followed(author, new Sinks(file, file), delay);
        }
        return new JobText(author, new LogDamage(author.job()), new LineBuffer(), null);
    }

    private static JobText followed(Author author, Sinks sinks, LogFollower.Delay delay) {
        LineBuffer kept = new LineBuffer();
        LogDamage damage = new LogDamage(author.job());
        LogFollower.Source source = new LogFollower.Source(
                author.engine(), author.id(), kept.new Stream(sinks.out()), kept.new Stream(sinks.err()), damage);
        return new JobText(author, damage, kept, new LogFollower(source, delay));
    }

    private static Consumer<byte[]> to(Supplier<PrintStream> stream) {
        return line -> {
            PrintStream out = stream.get();
            out.write(line, 0, line.length);
            out.flush();
        };
    }

    private static Consumer<byte[]> toFile(Path directory, String job) {
        Path file = directory.resolve(job + ".log");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new JobRejectedException(
                    "The directory '" + directory + "' for the output of jobs cannot be made: " + e
                            + ". Name a directory that can be written.",
                    e);
        }
        AtomicBoolean hasFailed = new AtomicBoolean();
        return line -> {
            try {
                Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                if (!hasFailed.getAndSet(true)) {
                    System.getLogger(JobText.class.getName())
                            .log(
                                    Level.WARNING,
                                    "Output of the job '" + job + "' is lost, for '" + file + "' cannot be written: "
                                            + e);
                }
            }
        };
    }

    /**
     * Attaches to a container that has not started, where somebody reads along. Waits for Docker.
     *
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
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

    /** Begins to follow, where somebody reads along. Does not wait. */
    void follow() {
        if (follower != null) {
            synchronized (this) {
                isFollowed = true;
            }
            follower.open();
        }
    }

    /**
     * Takes the last lines of a container that has ended. Waits for Docker. A log that Docker has and does not give is taken
     * for lost after some tries.
     *
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
     */
    void finish() {
        try {
            takeLastLines();
        } catch (Refusal e) {
            // With a container that is gone, its last lines are.
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
        LineBuffer lines = ask(LineBuffer.KEPT_LINES);
        synchronized (this) {
            kept = lines;
        }
    }

    /** Returns the last lines, oldest first. Waits for Docker while the container runs and nobody reads along. */
    List<String> last(int count) {
        synchronized (this) {
            if (finished || isFollowed) {
                return kept.last(count);
            }
        }
        try {
            return ask(Math.min(count, LineBuffer.KEPT_LINES)).last(count);
        } catch (Refusal e) {
            return List.of();
        }
    }

    private LineBuffer ask(int count) {
        LineBuffer lines = new LineBuffer();
        return engine.ask(docker -> {
            try (Lines answer = engine.logs().read(engine.log(id).withTail(count), new Lines(lines, damage))) {
                if (!answer.awaitCompletion(ANSWER_LIMIT_S, TimeUnit.SECONDS)) {
                    throw new BackendUnavailableException("FBR-160 Docker did not send the log of a container within "
                            + ANSWER_LIMIT_S + " s; try again.");
                }
                return lines;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BackendUnavailableException("Reading the log of a container was interrupted.", e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Stops to follow. */
    void close() {
        if (follower != null) {
            follower.close();
        }
    }

    /** Takes the entries that Docker sends. */
    private static final class Lines extends LogEntries.Receiver {
        private final LineBuffer.Stream out;
        private final LineBuffer.Stream err;
        private final LogDamage damage;

        Lines(LineBuffer kept, LogDamage damage) {
            this.out = kept.new Stream(line -> {});
            this.err = kept.new Stream(line -> {});
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
