// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one pod writes; the cluster does not keep its two streams apart. Where it goes to the console or to a file of this
 * host it is followed; else the cluster keeps it and is asked. Thread-safe.
 */
final class JobText {

    private static final long LAST_LINES_LIMIT_MS = 2_000;
    private static final int NO_WAITING = 0;

    private final Cluster cluster;
    private final String pod;
    private final KubernetesJob.Owner owner;
    private final @Nullable Consumer<byte[]> sink;
    private LineBuffer kept = new LineBuffer();
    private @Nullable Following following;
    private Instant read = Instant.EPOCH;
    private boolean finished;

    private JobText(Cluster cluster, String pod, KubernetesJob.Owner owner, @Nullable Consumer<byte[]> sink) {
        this.cluster = cluster;
        this.pod = pod;
        this.owner = owner;
        this.sink = sink;
    }

    /**
     * Returns the text of a job.
     *
     * @throws JobRejectedException FBR-179 when the directory of log files cannot be made
     */
    static JobText of(Cluster cluster, String pod, String job, Reader reader) {
        return new JobText(cluster, pod, reader.owner(), sinkOf(job, reader.output()));
    }

    private static @Nullable Consumer<byte[]> sinkOf(String job, JobOutput output) {
        if (output instanceof JobOutput.Console) {
            // Looked up for each line, so that a program may replace it at any time.
            return line -> {
                PrintStream out = System.out;
                out.write(line, 0, line.length);
                out.flush();
            };
        }
        return output instanceof JobOutput.Files files
                ? toFile(files.directory().toAbsolutePath(), job)
                : null;
    }

    /** Who reads along. */
    record Reader(JobOutput output, KubernetesJob.Owner owner) {}

    private static Consumer<byte[]> toFile(Path directory, String job) {
        Path file = directory.resolve(job + ".log");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new JobRejectedException(
                    "FBR-179 The directory '" + directory + "' for the output of jobs cannot be made: " + e
                            + ". Name a directory that can be written.",
                    e);
        }
        return line -> {
            try {
                Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /** Begins to follow, where somebody reads along, after what was read already. Waits for the API server. */
    void follow() {
        Consumer<byte[]> reader = sink;
        synchronized (this) {
            if (reader == null || finished || following != null) {
                return;
            }
            following = new Following(reader, read);
        }
        following.open();
    }

    /** Takes the last lines of a pod that has ended. Waits for the API server. */
    void finish() {
        follow();
        Following last;
        synchronized (this) {
            last = following;
        }
        try {
            if (last != null) {
                last.over.await(LAST_LINES_LIMIT_MS, TimeUnit.MILLISECONDS);
            } else if (sink == null) {
                LineBuffer lines = ask(LineBuffer.KEPT_LINES);
                synchronized (this) {
                    kept = lines;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (BackendException | Refusal e) {
            System.getLogger(JobText.class.getName())
                    .log(System.Logger.Level.DEBUG, "The last lines of the pod " + pod + " are not known.", e);
        } finally {
            synchronized (this) {
                finished = true;
            }
        }
    }

    /** Returns the last lines, oldest first. Waits for the API server while the pod runs and nobody reads along. */
    List<String> last(int count) {
        synchronized (this) {
            if (finished || sink != null) {
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
        String text = cluster.log(pod, count);
        LineBuffer lines = new LineBuffer();
        LineBuffer.Stream stream = lines.new Stream(line -> {});
        stream.add(text.getBytes(StandardCharsets.UTF_8));
        stream.end();
        return lines;
    }

    /** Stops to follow. */
    void close() {
        Following open;
        synchronized (this) {
            finished = true;
            open = following;
        }
        if (open != null) {
            open.close();
        }
    }

    private synchronized void brokenOff(Following which) {
        if (following == which && !finished) {
            following = null;
            owner.askAgain(this::follow);
        }
    }

    private synchronized boolean isNew(Instant time) {
        if (!time.isAfter(read)) {
            return false;
        }
        read = time;
        return true;
    }

    /** One stream of lines, each with its time in front. Called by threads of the client. */
    private final class Following extends OutputStream {
        private final CountDownLatch over = new CountDownLatch(1);
        private final Instant since;
        private final LineBuffer.Stream stream;
        private volatile @Nullable LogWatch watch;

        Following(Consumer<byte[]> reader, Instant since) {
            this.since = since;
            // Lines are kept without their times; the outer buffer only puts them together.
            LineBuffer.Stream plain = kept.new Stream(reader);
            this.stream = new LineBuffer().new Stream(new StampedLines(JobText.this::isNew, plain::add));
        }

        void open() {
            try {
                LogWatch opened = cluster.ask(client -> cluster.pod(pod)
                        .inContainer(Template.WORKER)
                        .withReadyWaitTimeout(NO_WAITING)
                        .usingTimestamps()
                        .sinceTime(since.toString())
                        .watchLog(this));
                watch = opened;
                var unused = opened.onClose().whenComplete((failure, thrown) -> ended());
            } catch (BackendException | Refusal e) {
                ended();
            }
        }

        private void ended() {
            stream.end();
            over.countDown();
            brokenOff(this);
        }

        @Override
        public void write(int oneByte) {
            stream.add(new byte[] {(byte) oneByte});
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            byte[] piece = new byte[count];
            System.arraycopy(bytes, from, piece, 0, count);
            stream.add(piece);
        }

        @Override
        public void close() {
            LogWatch open = watch;
            if (open != null) {
                open.close();
            }
        }
    }
}
