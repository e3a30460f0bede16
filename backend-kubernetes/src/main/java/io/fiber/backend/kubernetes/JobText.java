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
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The output of one pod, whose two streams the cluster does not keep apart. If it goes to the console or to a file of
 * this host, it is followed; otherwise the cluster keeps it and is asked. Thread-safe.
 */
final class JobText {

    private static final int NO_WAITING = 0;
    private static final long SHORTEST_REST_NS = TimeUnit.SECONDS.toNanos(1);

    /** How many connections bring the rest of a log if each one breaks. */
    private static final int MOST_CONNECTIONS = 3;

    private final Cluster cluster;
    private final String pod;
    private final BackendTasks tasks;
    private final boolean isForwarded;
    private final Lines lines;
    private final LogCopy copy;
    private final AtomicBoolean isLooking = new AtomicBoolean();
    private LastLines kept = new LastLines();
    private @Nullable Following following;
    private LogCopy.Previous previous = LogCopy.Previous.COMPLETE;
    private boolean ending;
    private boolean finished;

    private JobText(Cluster cluster, String pod, Reader reader, Optional<OutputSinks> sinks) {
        this.cluster = cluster;
        this.pod = pod;
        this.tasks = reader.tasks();
        this.isForwarded = sinks.isPresent();
        this.lines = new Lines(sinks.map(each -> kept.stream(each.out())).orElseGet(kept::stream));
        this.copy = new LogCopy(lines, new Missing(), System::nanoTime);
    }

    /**
     * Returns the output of a job.
     *
     * @throws JobRejectedException FBR-179 if the directory of log files cannot be created
     */
    static JobText of(Cluster cluster, String pod, String job, Reader reader) {
        return new JobText(cluster, pod, reader, OutputSinks.of(reader.output(), job, "FBR-179"));
    }

    /** Where the output goes, and where it is read. */
    record Reader(JobOutput output, BackendTasks tasks) {}

    /** Starts following after what was read already, if the output is forwarded. Waits for the API server. */
    void follow() {
        Following made;
        synchronized (this) {
            if (!isForwarded || finished || following != null) {
                return;
            }
            made = next(previous);
        }
        if (made == null) {
            tasks.askAgain(this::follow);
        } else {
            made.open();
            lookLater();
        }
    }

    /** Replaces what is followed, unless a line is being written. */
    private synchronized @Nullable Following next(LogCopy.Previous how) {
        Following made = copy.connect(how).map(Following::new).orElse(null);
        if (made != null) {
            following = made;
        }
        return made;
    }

    /** Sees to it that a silent connection is replaced when its log may be in another file. */
    private void lookLater() {
        if (copy.lookAfterNs().isPresent() && !isLooking.getAndSet(true)) {
            rest();
        }
    }

    private void rest() {
        OptionalLong left = copy.lookAfterNs();
        if (left.isEmpty()) {
            isLooking.set(false);
        } else {
            var unused = tasks.after(Math.max(left.getAsLong(), SHORTEST_REST_NS), this::look);
        }
    }

    private void look() {
        if (copy.lookAfterNs().orElse(1) > 0) {
            rest();
        } else {
            tasks.ask(this::followAnew);
        }
    }

    private void followAnew() {
        Following left;
        Following made;
        synchronized (this) {
            left = following;
            if (ending || left == null) {
                isLooking.set(false);
                return;
            }
            made = next(LogCopy.Previous.SILENT);
        }
        if (made != null) {
            left.close();
            made.open();
        }
        rest();
    }

    /**
     * Fetches the last lines of a pod that has ended. Waits for the API server as long as it sends them.
     *
     * @param silenceNs after which time without new output it gives up
     */
    void finish(long silenceNs) {
        try {
            if (isForwarded) {
                awaitEnd(silenceNs);
            } else {
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
            Following last;
            synchronized (this) {
                finished = true;
                last = following;
            }
            if (last == null || last.over.getCount() == 0) {
                lines.close();
            }
        }
    }

    /** Reads to the end of the log. A connection that was opened before the end may be at an older file of a long log. */
    private void awaitEnd(long silenceNs) throws InterruptedException {
        long beginNs = System.nanoTime();
        Following open;
        synchronized (this) {
            ending = true;
            open = following;
        }
        boolean mayBeOld = open != null;
        for (int opened = mayBeOld ? 0 : 1; opened <= MOST_CONNECTIONS; opened++) {
            if (open == null) {
                follow();
                synchronized (this) {
                    open = following;
                }
                if (open == null) {
                    return;
                }
            }
            if (!awaitRest(open, beginNs, silenceNs)) {
                return;
            }
            if (open.end == LogCopy.Previous.COMPLETE && !(mayBeOld && copy.isLong())) {
                return;
            }
            mayBeOld = false;
            synchronized (this) {
                previous = open.end;
                following = null;
            }
            open = null;
        }
        System.getLogger(JobText.class.getName())
                .log(
                        Level.WARNING,
                        "The end of the output of the pod " + pod + " may be missing: " + MOST_CONNECTIONS
                                + " connections to its log broke.");
    }

    /** Waits while output arrives, because what was not read is lost with the pod. Returns whether all has come. */
    private boolean awaitRest(Following last, long beginNs, long limitNs) throws InterruptedException {
        lines.cameAtNs = System.nanoTime();
        long leftNs = limitNs;
        while (!last.over.await(leftNs, TimeUnit.NANOSECONDS)) {
            long nowNs = System.nanoTime();
            long silenceNs = nowNs - lines.cameAtNs;
            leftNs = limitNs - silenceNs;
            if (leftNs <= 0) {
                System.getLogger(JobText.class.getName())
                        .log(
                                Level.WARNING,
                                "The end of the output of the pod " + pod + " may be missing: "
                                        + TimeUnit.NANOSECONDS.toMillis(nowNs - beginNs)
                                        + " ms after the end of the pod, the API server had not sent all of its log;"
                                        + " the last part came " + TimeUnit.NANOSECONDS.toMillis(silenceNs) + " ms"
                                        + " before that.");
                return false;
            }
        }
        return true;
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
        } else if (following == which && !ending) {
            previous = which.end;
            following = null;
            tasks.askAgain(this::follow);
        }
    }

    /** Reports lines that the cluster no longer has. */
    private final class Missing implements LogCopy.Gaps {
        @Override
        public void begins(Instant first) {}

        @Override
        public void mayBeMissing(Instant after, Instant before) {
            System.getLogger(JobText.class.getName()).log(Level.WARNING, missing(pod, after, before));
        }
    }

    /** Returns the message for lines that may be missing. */
    static String missing(String pod, Instant after, Instant before) {
        return "Output of the pod " + pod + " between " + after + " and " + before
                + " may be missing: its node has replaced the file of its log meanwhile, and the API server gives only"
                + " the newest file. The number of missing lines is unknown.";
    }

    /** Receives the log over any connection. Threads of the client write to it. */
    private final class Lines extends OutputStream {
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
            lookLater();
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
        private final LogCopy.Connection to;
        private volatile LogCopy.Previous end = LogCopy.Previous.COMPLETE;
        private volatile @Nullable LogWatch watch;

        Following(LogCopy.Connection to) {
            this.to = to;
        }

        void open() {
            try {
                LogWatch opened = cluster.ask(client -> cluster.pod(pod)
                        .inContainer(Template.WORKER)
                        .withReadyWaitTimeout(NO_WAITING)
                        .usingTimestamps()
                        .sinceTime(to.since().toString())
                        .watchLog(to));
                watch = opened;
                var unused =
                        opened.onClose().whenComplete((failure, thrown) -> ended(failure == null && thrown == null));
            } catch (Refusal e) {
                ended(true);
            } catch (RuntimeException e) {
                ended(false);
                if (!(e instanceof BackendException)) {
                    throw e;
                }
            }
        }

        private void ended(boolean isComplete) {
            end = isComplete ? LogCopy.Previous.COMPLETE : LogCopy.Previous.BROKEN;
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
