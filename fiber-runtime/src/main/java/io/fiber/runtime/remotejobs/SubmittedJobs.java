// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.spi.backend.Job;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one request, as far as they are known: an event may tell of one before the backend has returned it, and a
 * cancel may come before either. Belongs to the conductor, {@link #isAbandoned} and {@link #job} excepted.
 */
final class SubmittedJobs {

    private final ObjectAddress listener;
    private final Map<Integer, Job> known = new ConcurrentHashMap<>();
    private final Map<Integer, Duration> cancels = new HashMap<>();
    private int count = Integer.MAX_VALUE;
    private int ended;
    private volatile boolean abandoned;

    /** Creates the jobs of a submission, of whose events the {@code listener} is told, an object of the worker. */
    SubmittedJobs(ObjectAddress listener) {
        this.listener = listener;
    }

    ObjectAddress listener() {
        return listener;
    }

    /** Returns a job; null while it is not known. */
    @Nullable
    Job job(int index) {
        return known.get(index);
    }

    void onJob(int index, Job job) {
        if (known.putIfAbsent(index, job) == null) {
            Duration grace = abandoned ? Duration.ZERO : cancels.get(index);
            if (grace != null) {
                job.cancel(grace);
            }
        }
    }

    void onSubmitted(List<Job> jobs) {
        count = jobs.size();
        for (int i = 0; i < count; i++) {
            onJob(i, jobs.get(i));
        }
    }

    void cancel(int index, Duration grace) {
        cancels.merge(index, grace, (first, second) -> first.compareTo(second) < 0 ? first : second);
        Job job = known.get(index);
        if (job != null) {
            job.cancel(grace);
        }
    }

    /** Ends all of them by force, also those that are still being submitted. */
    void abandon() {
        abandoned = true;
        known.values().forEach(job -> job.cancel(Duration.ZERO));
    }

    /** Tells whether their worker no longer wants them. */
    boolean isAbandoned() {
        return abandoned;
    }

    void countEnd() {
        ended++;
    }

    /** Tells whether all have ended; true from one moment on, at which nothing is left to be told of them. */
    boolean areOver() {
        return ended == count;
    }
}
