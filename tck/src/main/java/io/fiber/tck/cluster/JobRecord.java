// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Records the events of a backend's jobs. Each wait ends with an {@link AssertionError} if its time limit passes, or if
 * the job ends before what it waits for. Thread-safe.
 */
public final class JobRecord implements JobListener {

    private final Duration limit;
    private final Map<Job, List<JobEvent>> events = new HashMap<>();

    /**
     * Creates an empty record.
     *
     * @param limit how long to wait for an event
     */
    public JobRecord(Duration limit) {
        this.limit = requireNonNull(limit, "limit");
    }

    @Override
    public synchronized void onEvent(JobEvent event) {
        events.computeIfAbsent(event.job(), key -> new ArrayList<>()).add(event);
        notifyAll();
    }

    private synchronized <T> Optional<T> find(Job job, Function<JobEvent, Optional<T>> chosen) {
        return events.getOrDefault(job, List.of()).stream()
                .map(chosen)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private synchronized <T> T await(Job job, String what, Function<JobEvent, Optional<T>> chosen) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        try {
            Optional<T> found = find(job, chosen);
            while (found.isEmpty()) {
                long leftNs = deadlineNs - System.nanoTime();
                if (leftNs <= 0 || hasEnded(job)) {
                    throw new AssertionError("Expected that " + job + " " + what
                            + (leftNs <= 0 ? " within " + limit.toSeconds() + " s" : "") + ", but its events were "
                            + events.getOrDefault(job, List.of()));
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
                found = find(job, chosen);
            }
            return found.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an event of " + job, e);
        }
    }

    private static Optional<String> hostOf(JobEvent event) {
        return event instanceof JobEvent.Running running ? Optional.of(running.host()) : Optional.empty();
    }

    private static Optional<JobTermination> endOf(JobEvent event) {
        return event instanceof JobEvent.Ended ended ? Optional.of(ended.termination()) : Optional.empty();
    }

    /** Waits until a job has ended, and returns how. */
    public JobTermination awaitEnd(Job job) {
        return await(job, "ends", JobRecord::endOf);
    }

    /** Waits until a job runs, and returns its host. */
    public String awaitRunning(Job job) {
        return await(job, "runs", JobRecord::hostOf);
    }

    /**
     * Waits until a job waits for a reason of which {@code part} is a part, and returns the reason. A busy cluster may
     * name other reasons before.
     */
    public String awaitWaiting(Job job, String part) {
        return await(
                job,
                "waits for a reason with '" + part + "'",
                event -> event instanceof JobEvent.Waiting waiting
                                && waiting.reason().contains(part)
                        ? Optional.of(waiting.reason())
                        : Optional.empty());
    }

    /** Returns whether the job was reported to run. Does not wait. */
    public boolean isRunning(Job job) {
        return find(job, JobRecord::hostOf).isPresent();
    }

    /** Returns whether the job was reported to have ended. Does not wait. */
    public boolean hasEnded(Job job) {
        return find(job, JobRecord::endOf).isPresent();
    }
}
