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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The output of one pod, whose two streams the cluster does not keep apart. If it goes to the console or to a file of
 * this host, it is followed; otherwise the cluster keeps it and is asked. Thread-safe.
 */
final class JobText {

    private static final int NO_WAITING = 0;

    private final Cluster cluster;
    private final String pod;
    private final BackendTasks tasks;
    private final Patience patience;
    private final boolean isForwarded;
    private final Lines lines;
    private final LogCopy copy;
    private LastLines kept = new LastLines();
    private @Nullable Following following;
    private boolean finished;

    private JobText(Cluster cluster, String pod, Reader reader, Optional<OutputSinks> sinks) {
        this.cluster = cluster;
        this.pod = pod;
        this.tasks = reader.tasks();
        this.patience = reader.patience();
        this.isForwarded = sinks.isPresent();
        this.lines = new Lines(sinks.map(each -> kept.stream(each.out())).orElseGet(kept::stream));
        this.copy = new LogCopy(lines);
    }

    /**
     * Returns the output of a job.
     *
     * @throws JobRejectedException FBR-179 if the directory of log files cannot be created
     */
    static JobText of(Cluster cluster, String pod, String job, Reader reader) {
        return new JobText(cluster, pod, reader, OutputSinks.of(reader.output(), job, "FBR-179"));
    }

    /** Where the output goes, where it is read, and how long to wait for the rest. */
    record Reader(JobOutput output, BackendTasks tasks, Patience patience) {
        Reader(JobOutput output, BackendTasks tasks) {
            this(output, tasks, new Patience(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(30)));
        }
    }

    /**
     * How long to wait for the rest of a log when its pod has ended.
     *
     * @param silenceNs maximum time without new output
     * @param allNs maximum total time
     */
    record Patience(long silenceNs, long allNs) {}

    /** Starts following after what was read already, if the output is forwarded. Waits for the API server. */
    void follow() {
        synchronized (this) {
            if (!isForwarded || finished || following != null) {
                return;
            }
            following = new Following(copy.resume());
        }
        following.open();
    }

    /** Fetches the last lines of a pod that has ended. Waits for the API server, up to 30 seconds. */
    void finish() {
        follow();
        Following last;
        synchronized (this) {
            last = following;
        }
        try {
            if (last != null) {
                awaitRest(last);
            } else if (!isForwarded) {
                LastLines asked = ask(LastLines.MOST_LINES);
                synchronized (this) {
                    kept = asked;
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
            if (last == null || last.over.getCount() == 0) {
                lines.close();
            }
        }
    }

    /** Waits while output arrives, because what was not read is lost with the pod. */
    private void awaitRest(Following last) throws InterruptedException {
        long beginNs = System.nanoTime();
        lines.cameAtNs = beginNs;
        long leftNs = Math.min(patience.silenceNs(), patience.allNs());
        while (!last.over.await(leftNs, TimeUnit.NANOSECONDS)) {
            long nowNs = System.nanoTime();
            long silenceNs = nowNs - lines.cameAtNs;
            leftNs = Math.min(patience.silenceNs() - silenceNs, patience.allNs() - (nowNs - beginNs));
            if (leftNs <= 0) {
                System.getLogger(JobText.class.getName())
                        .log(
                                Level.WARNING,
                                "The end of the output of the pod " + pod + " may be missing: "
                                        + TimeUnit.NANOSECONDS.toMillis(nowNs - beginNs)
                                        + " ms after the end of the pod, the API server had not sent all of its log;"
                                        + " the last part came " + TimeUnit.NANOSECONDS.toMillis(silenceNs) + " ms"
                                        + " before that.");
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
            if (finished || isForwarded) {
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
        LastLines asked = new LastLines();
        LineStream stream = asked.stream();
        stream.add(text.getBytes(StandardCharsets.UTF_8));
        stream.end();
        return asked;
    }

    /** Stops following. */
    void close() {
        Following open;
        synchronized (this) {
            finished = true;
            open = following;
        }
        if (open != null) {
            open.close();
        }
        lines.close();
    }

    private synchronized void brokenOff(Following which) {
        if (finished) {
            lines.close();
        } else if (following == which) {
            following = null;
            tasks.askAgain(this::follow);
        }
    }

    /** Receives the log over any connection. Threads of the client write to it. */
    private static final class Lines extends OutputStream {
        private final LineStream stream;
        private final ReentrantLock writing = new ReentrantLock();
        private volatile long cameAtNs;

        Lines(LineStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(int oneByte) {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            writing.lock();
            try {
                stream.add(bytes, from, count);
            } finally {
                writing.unlock();
            }
        }

        @Override
        public void flush() {
            cameAtNs = System.nanoTime();
        }

        /** Completes a line without a line end, unless one is being written, because its destination may be blocked. */
        @Override
        public void close() {
            if (writing.tryLock()) {
                try {
                    stream.end();
                } finally {
                    writing.unlock();
                }
            }
        }
    }

    /** One connection over which the log arrives. */
    private final class Following {
        private final CountDownLatch over = new CountDownLatch(1);
        private final Instant since;
        private volatile @Nullable LogWatch watch;

        Following(Instant since) {
            this.since = since;
        }

        void open() {
            try {
                LogWatch opened = cluster.ask(client -> cluster.pod(pod)
                        .inContainer(Template.WORKER)
                        .withReadyWaitTimeout(NO_WAITING)
                        .usingTimestamps()
                        .sinceTime(since.toString())
                        .watchLog(copy));
                watch = opened;
                var unused = opened.onClose().whenComplete((failure, thrown) -> ended());
            } catch (BackendException | Refusal e) {
                ended();
            }
        }

        private void ended() {
            over.countDown();
            brokenOff(this);
        }

        void close() {
            LogWatch open = watch;
            if (open != null) {
                open.close();
            }
        }
    }
}
