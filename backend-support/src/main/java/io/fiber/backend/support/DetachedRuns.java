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

/** Common parts of backends whose platform keeps jobs without a program. */
public abstract class DetachedRuns implements DetachedJobs {

    private final BooleanSupplier handOver;

    /**
     * Creates it.
     *
     * @param handOver hands the backend's own jobs over to the platform, and returns whether it did
     */
    protected DetachedRuns(BooleanSupplier handOver) {
        this.handOver = handOver;
    }

    @Override
    public final boolean handOver() {
        return handOver.getAsBoolean();
    }

    /** Returns whether the platform is to keep a job of this spec. */
    public static boolean isOne(JobSpec spec) {
        return spec.labels().containsKey(DetachedJobs.RUN);
    }

    /**
     * What labels do not say about a job.
     *
     * @param id the platform's id
     * @param submitted when the job was submitted
     * @param restarts how many times the platform has started its program again
     */
    public record Seen(String id, Instant submitted, int restarts) {}

    /** Returns a job from its labels, those of {@link SessionLabels#ofJob}. */
    public static DetachedJob of(Map<String, String> labels, Seen seen, State state) {
        return new DetachedJob(
                labels.getOrDefault(DetachedJobs.RUN, ""),
                Optional.ofNullable(labels.get(DetachedJobs.USER)),
                labels.getOrDefault(SessionLabels.SESSION, ""),
                seen.id(),
                labels.getOrDefault(SessionLabels.JOB, ""),
                seen.submitted(),
                seen.restarts(),
                state.words(),
                state.end());
    }

    /**
     * The state of a job.
     *
     * @param words for people to read
     * @param end how it has ended; empty before that
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
     * Returns the exception for a log that is not available.
     *
     * @param why the reason and what to do, as whole sentences
     */
    public static BackendException noLog(DetachedJob job, String why) {
        return new BackendException(
                "FBR-183 The output of run " + job.run() + " (job " + job.id() + ") cannot be read from here: " + why);
    }

    /** Returns the exception for a platform that refuses to show its jobs or to end one. */
    public static BackendException refused(String platform, String why, Exception cause) {
        return new BackendException(
                "FBR-184 " + platform + " does not let this user manage detached runs ('fiber ps', 'logs' and"
                        + " 'kill'): " + why
                        + ". Use the user and the settings with which the run was started.",
                cause);
    }
}
