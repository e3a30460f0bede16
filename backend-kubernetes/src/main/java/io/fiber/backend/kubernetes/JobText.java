// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.LastLines;
import io.fiber.backend.support.LineStream;
import io.fiber.backend.support.OutputSinks;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
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

    private static final int NO_WAITING = 0;

    private final Cluster cluster;
    private final String pod;
    private final BackendTasks tasks;
    private final Patience patience;
    private final @Nullable Consumer<byte[]> sink;
    private LastLines kept = new LastLines();
    private @Nullable Following following;
    private Instant read = Instant.EPOCH;
    private boolean finished;

    private JobText(Cluster cluster, String pod, Reader reader, @Nullable Consumer<byte[]> sink) {
        this.cluster = cluster;
        this.pod = pod;
        this.tasks = reader.tasks();
        this.patience = reader.patience();
        this.sink = sink;
    }

    /**
     * Returns the text of a job.
     *
     * @throws JobRejectedException FBR-179 when the directory of log files cannot be made
     */
    static JobText of(Cluster cluster, String pod, String job, Reader reader) {
        return new JobText(
                cluster,
                pod,
                reader,
                OutputSinks.of(reader.output(), job, "FBR-179")
                        .map(OutputSinks::out)
                        .orElse(null));
    }

    /** Where it goes, where reading is done, and how long the rest is waited for. */
    record Reader(JobOutput output, BackendTasks tasks, Patience patience) {
        Reader(JobOutput output, BackendTasks tasks) {
            this(output, tasks, new Patience(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(30)));
        }
    }

    /**
     * How long the rest of a log is waited for when its pod has ended.
     *
     * @param silenceNs after the last that came
     * @param allNs at most
     */
    record Patience(long silenceNs, long allNs) {}

    /** Begins to follow, if the output is forwarded, after what was read already. Waits for the API server. */
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

    /** Takes the last lines of a pod that has ended. Waits for the API server, 30 seconds at most. */
    void finish() {
        follow();
        Following last;
        synchronized (this) {
            last = following;
        }
        try {
            if (last != null) {
                awaitRest(last);
            } else if (sink == null) {
                LastLines lines = ask(LastLines.MOST_LINES);
                synchronized (this) {
                    kept = lines;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            System.getLogger(JobText.class.getName())
                    .log(
                            Level.WARNING,
                            "The end of the output of the pod " + pod + " may be missing: the session closes.");
        } catch (BackendException | Refusal e) {
            System.getLogger(JobText.class.getName())
                    .log(Level.DEBUG, "The last lines of the pod " + pod + " are not known.", e);
        } finally {
            synchronized (this) {
                finished = true;
            }
        }
    }

    /** Waits while something comes: the pod goes, and what was not read with it. */
    private void awaitRest(Following last) throws InterruptedException {
        long beginNs = System.nanoTime();
        last.cameAtNs = beginNs;
        long leftNs = Math.min(patience.silenceNs(), patience.allNs());
        while (!last.over.await(leftNs, TimeUnit.NANOSECONDS)) {
            long nowNs = System.nanoTime();
            long silenceNs = nowNs - last.cameAtNs;
            leftNs = Math.min(patience.silenceNs() - silenceNs, patience.allNs() - (nowNs - beginNs));
            if (leftNs <= 0) {
                System.getLogger(JobText.class.getName())
                        .log(
                                Level.WARNING,
                                "The end of the output of the pod " + pod + " may be missing: "
                                        + TimeUnit.NANOSECONDS.toMillis(nowNs - beginNs)
                                        + " ms after the pod had ended the API server had not sent all of its log, the"
                                        + " last of it " + TimeUnit.NANOSECONDS.toMillis(silenceNs) + " ms before.");
                return;
            }
        }
    }

    /**
     * Returns the last lines, oldest first. Waits for the API server while the pod runs and its output is not
     * forwarded.
     */
    List<String> last(int count) {
        synchronized (this) {
            if (finished || sink != null) {
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
        String text = cluster.log(pod, count);
        LastLines lines = new LastLines();
        LineStream stream = lines.stream();
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
            tasks.askAgain(this::follow);
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
        private final LineStream stream;
        private volatile @Nullable LogWatch watch;
        private volatile long cameAtNs;

        Following(Consumer<byte[]> reader, Instant since) {
            this.since = since;
            LineStream plain = kept.stream(reader);
            this.stream = new LineStream(new StampedLines(JobText.this::isNew, plain::add));
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
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            stream.add(bytes, from, count);
            cameAtNs = System.nanoTime();
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
