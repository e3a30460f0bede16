// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.util.Collection;
import java.util.List;

/**
 * A batch system, as {@link BatchBackend} needs it: how a script begins, how it is submitted, where jobs stand, and how they are
 * ended. Thread-safe; every method may block, {@link #script} excepted.
 */
public interface BatchSystem extends Scheduler {

    /**
     * Renders the script of a submission: directives of the system, and the shell's word for a job's number in the submission.
     *
     * @param part the files of the submission; {@link SharedFolder.Part#jobName} is the name of no other
     */
    String script(Submission submission, SharedFolder.Part part);

    /**
     * Submits a script, by one request where the system has arrays.
     *
     * @param count how many jobs run it
     * @return the system's name for each job, in the order of their numbers
     * @throws JobRejectedException when the system will never take it
     * @throws BackendUnavailableException when there is no answer. What was taken nevertheless runs nothing, for its files are gone
     */
    List<String> submit(String script, int count);

    /** Returns how many jobs one submission may have; a longer one is divided. No limit by default. */
    default int mostJobs() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the command that takes jobs out of the queue when this process is gone; none by default: they run nothing then, but
     * only when their turn comes.
     */
    default List<String> endCommand(Collection<String> ids) {
        return List.of();
    }
}
