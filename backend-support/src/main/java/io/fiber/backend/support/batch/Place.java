// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.util.List;

/**
 * A place where jobs start: the queue of a batch system, or nodes that this program already has. Only {@link #submit} may
 * block. Thread-safe.
 */
public interface Place {

    /** Reserves room for up to {@code count} jobs. Returns how many the next request may have; 0 if it has no room. */
    int reserve(JobSpec spec, int count);

    /** Gives back the room of jobs that were not started. Does nothing by default. */
    default void release(JobSpec spec, int count) {}

    /**
     * Renders the script of a submission: directives of the system, and the shell's word for a job's number in the
     * submission.
     *
     * @param part the files of the submission; its {@link SharedFolder.Part#jobName} is unique
     */
    String script(Submission submission, SharedFolder.Part part);

    /**
     * Submits a script, in one request if the system has arrays.
     *
     * @return the system's name for each job, in the order of their numbers
     * @throws JobRejectedException if the system will never accept it
     * @throws BackendUnavailableException if there is no answer. Jobs that were accepted nevertheless run nothing,
     *     because their files are gone
     */
    List<String> submit(String script, Submission submission, SharedFolder.Part part);

    /** Returns what a preview shows instead of submitting a script: by default, the script. */
    default String preview(String script, Submission submission, SharedFolder.Part part) {
        return script;
    }

    /** Records the end of a job that was started here, before its listener learns of it. Does nothing by default. */
    default void ended(JobSpec spec, String id) {}
}
