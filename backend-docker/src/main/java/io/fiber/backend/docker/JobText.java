// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.async.ResultCallback;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one container writes. Where it goes to the console or to a file of this host it is followed; else Docker keeps it and
 * is asked. Thread-safe.
 */
final class JobText {

    private static final long ANSWER_LIMIT_S = 30;

    private final Engine engine;
    private final String id;
    private final @Nullable LogFollower follower;
    private LineBuffer kept;
    private boolean isFollowed;
    private boolean finished;

    /** Where the lines of both streams go. */
    private record Sinks(Consumer<byte[]> out, Consumer<byte[]> err) {}

    private JobText(Engine engine, String id, LineBuffer kept, @Nullable LogFollower follower) {
        this.engine = engine;
        this.id = id;
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
        return new JobText(author.engine(), author.id(), new LineBuffer(), null);
    }

    private static JobText followed(Author author, Sinks sinks, LogFollower.Delay delay) {
        LineBuffer kept = new LineBuffer();
        LogFollower.Source source = new LogFollower.Source(
                author.engine(), author.id(), kept.new Stream(sinks.out()), kept.new Stream(sinks.err()));
        return new JobText(author.engine(), author.id(), kept, new LogFollower(source, delay));
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
     * Takes the last lines of a container that has ended. Waits for Docker.
     *
     * @throws BackendUnavailableException when Docker does not answer; it may be called again
     */
    void finish() {
        if (follower != null) {
            follower.finish();
            return;
        }
        try {
            LineBuffer lines = ask(LineBuffer.KEPT_LINES);
            synchronized (this) {
                kept = lines;
                finished = true;
            }
        } catch (Refusal e) {
            // The container is gone, and its last lines with it.
            synchronized (this) {
                finished = true;
            }
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
            try (Lines answer = engine.logs()
                    .read(engine.log(id).withTail(count), new Lines(lines, new Sinks(line -> {}, line -> {})))) {
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
    private static final class Lines extends ResultCallback.Adapter<Frame> {
        private final LineBuffer.Stream out;
        private final LineBuffer.Stream err;

        Lines(LineBuffer kept, Sinks sinks) {
            this.out = kept.new Stream(sinks.out());
            this.err = kept.new Stream(sinks.err());
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
