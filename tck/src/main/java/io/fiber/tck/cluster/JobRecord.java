// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Records the events of a backend's jobs. Each wait ends with a {@link CompletionException} if its time limit passes.
 * Thread-safe.
 */
public final class JobRecord implements JobListener {

    private final Duration limit;
    private final Map<Job, Story> stories = new ConcurrentHashMap<>();

    /** The first event of each kind of one job. */
    private record Story(
            CompletableFuture<String> reason, CompletableFuture<String> host, CompletableFuture<JobTermination> end) {
        Story() {
            this(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
        }
    }

    /**
     * Creates an empty record.
     *
     * @param limit how long to wait for an event
     */
    public JobRecord(Duration limit) {
        this.limit = requireNonNull(limit, "limit");
    }

    @Override
    public void onEvent(JobEvent event) {
        Story story = storyOf(event.job());
        if (event instanceof JobEvent.Ended ended) {
            story.end().complete(ended.termination());
        } else if (event instanceof JobEvent.Waiting waiting) {
            story.reason().complete(waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            story.host().complete(running.host());
        }
    }

    private Story storyOf(Job job) {
        return stories.computeIfAbsent(job, key -> new Story());
    }

    private <T> T await(CompletableFuture<T> future) {
        // A copy, because the original has no limit.
        return future.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** Waits until a job has ended, and returns how. */
    public JobTermination awaitEnd(Job job) {
        return await(storyOf(job).end());
    }

    /** Waits until a job runs, and returns its host. */
    public String awaitRunning(Job job) {
        return await(storyOf(job).host());
    }

    /** Waits until a job waits, and returns the first reason. */
    public String awaitWaiting(Job job) {
        return await(storyOf(job).reason());
    }

    /** Returns whether the job was reported to run. Does not wait. */
    public boolean isRunning(Job job) {
        return storyOf(job).host().isDone();
    }

    /** Returns whether the job was reported to have ended. Does not wait. */
    public boolean hasEnded(Job job) {
        return storyOf(job).end().isDone();
    }
}
