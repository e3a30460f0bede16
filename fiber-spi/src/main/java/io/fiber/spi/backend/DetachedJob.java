// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * A job that its platform keeps without the program that submitted it, as the platform shows it now. Immutable.
 *
 * @param run the value of its label {@link DetachedJobs#RUN}
 * @param user the value of its label {@link DetachedJobs#USER}; empty if the platform shows only the user's own jobs
 * @param sessionId the session that submitted it
 * @param id the job's id, as from {@link Job#id}
 * @param name the job's name, as in the submission
 * @param submitted when it was submitted
 * @param restarts how many times the platform has started its program again
 * @param state its state, for people to read: {@code runs on n2}, {@code waits: Resources}
 * @param end how it ended; empty before that
 */
public record DetachedJob(
        String run,
        Optional<String> user,
        String sessionId,
        String id,
        String name,
        Instant submitted,
        int restarts,
        String state,
        Optional<JobTermination> end) {

    /** Checks that no value is null. */
    public DetachedJob {
        requireNonNull(run, "run");
        requireNonNull(user, "user");
        requireNonNull(sessionId, "sessionId");
        requireNonNull(id, "id");
        requireNonNull(name, "name");
        requireNonNull(submitted, "submitted");
        requireNonNull(state, "state");
        requireNonNull(end, "end");
    }
}
