// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.util.Collection;
import java.util.List;

/**
 * A batch system, as {@link BatchBackend} needs it: how a script begins, how it is submitted, the state of jobs, and
 * how they are ended. Every method except {@link #script} may block. Thread-safe.
 */
public interface BatchSystem extends Scheduler {

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
     * @param count number of jobs that run it
     * @return the system's name for each job, in the order of their numbers
     * @throws JobRejectedException if the system will never accept it
     * @throws BackendUnavailableException if there is no answer. Jobs that were accepted nevertheless run nothing,
     *     because their files are gone
     */
    List<String> submit(String script, int count);

    /** Returns how many jobs one submission may have; a larger one is divided. No limit by default. */
    default int mostJobs() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the command that removes jobs from the queue if this process is gone. None by default: such jobs then run
     * nothing, but only when their turn comes.
     */
    default List<String> endCommand(Collection<String> ids) {
        return List.of();
    }
}
