// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * A job that its platform keeps without the program that submitted it, as the platform shows it now. Immutable.
 *
 * @param run the value of its label {@link DetachedJobs#RUN}
 * @param user the value of its label {@link DetachedJobs#USER}; empty where the platform shows only the user's own jobs
 * @param sessionId the session that submitted it
 * @param id the job's id, as {@link Job#id} gives it
 * @param name the job's name, as the submission gave it
 * @param submitted when it was
 * @param state where it stands, for a person: {@code runs on n2}, {@code waits: Resources}
 * @param end how it has ended; empty before
 */
public record DetachedJob(
        String run,
        Optional<String> user,
        String sessionId,
        String id,
        String name,
        Instant submitted,
        String state,
        Optional<JobTermination> end) {

    /** Checks that nothing is null. */
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
