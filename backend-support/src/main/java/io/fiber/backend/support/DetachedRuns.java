// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What backends have in common whose platform keeps jobs without a program. */
public abstract class DetachedRuns implements DetachedJobs {

    private final BooleanSupplier handOver;

    /**
     * Creates it.
     *
     * @param handOver leaves the backend's own jobs to the platform, and tells whether it has
     */
    protected DetachedRuns(BooleanSupplier handOver) {
        this.handOver = handOver;
    }

    @Override
    public final boolean handOver() {
        return handOver.getAsBoolean();
    }

    /** Tells whether the platform is to keep a job of this spec. */
    public static boolean isOne(JobSpec spec) {
        return spec.labels().containsKey(DetachedJobs.RUN);
    }

    /**
     * What labels do not say of a job.
     *
     * @param id as the platform gives it
     * @param submitted when it was
     */
    public record Seen(String id, Instant submitted) {}

    /** Returns a job by its labels, those that {@link SessionLabels#ofJob} gives. */
    public static DetachedJob of(Map<String, String> labels, Seen seen, State state) {
        return new DetachedJob(
                labels.getOrDefault(DetachedJobs.RUN, ""),
                Optional.ofNullable(labels.get(DetachedJobs.USER)),
                labels.getOrDefault(SessionLabels.SESSION, ""),
                seen.id(),
                labels.getOrDefault(SessionLabels.JOB, ""),
                seen.submitted(),
                state.words(),
                state.end());
    }

    /**
     * Where a job stands.
     *
     * @param words for a person
     * @param end how it has ended; empty before
     */
    public record State(String words, Optional<JobTermination> end) {

        /** Returns the state of a job that has not ended. */
        public static State open(String words) {
            return new State(words, Optional.empty());
        }

        /** Returns the state of a job that has ended. */
        public static State ended(JobTermination end) {
            return new State(end.describe(), Optional.of(end));
        }
    }

    /**
     * Returns what is said of a log that cannot be had.
     *
     * @param why what is in the way, and what to do, as whole sentences
     */
    public static BackendException noLog(DetachedJob job, String why) {
        return new BackendException(
                "FBR-183 The output of run " + job.run() + " (job " + job.id() + ") cannot be read from here: " + why);
    }

    /** Returns what is said of a platform that refuses to show its jobs, or to end one. */
    public static BackendException refused(String platform, String why, Exception cause) {
        return new BackendException(
                "FBR-184 " + platform + " refuses what 'fiber ps', 'logs' and 'kill' need of a detached run: " + why
                        + ". Ask with the user and the settings that the run was started with.",
                cause);
    }
}
