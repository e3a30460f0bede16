// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.BackendUnavailableException;
import java.util.Collection;
import java.util.Map;

/** Answers questions about jobs and ends them. Thread-safe; every method may block. */
interface Scheduler {

    /**
     * Asks about all jobs of these groups at once; a group is what was submitted together. Jobs that are not known (any
     * more) are not in the result, which has a row for each id.
     *
     * @throws BackendUnavailableException when there is no answer; that says nothing of any job
     */
    Map<String, QueueRow> queue(Collection<String> groups);

    /**
     * Asks the books of the site about jobs of these groups that the queue does not know any more. Only those that have ended
     * are in the result; none where no books are kept, and when they do not answer.
     */
    Map<String, QueueRow> past(Collection<String> groups);

    /** Takes those that wait out of the queue and sends SIGTERM to every process of the others. */
    void endPolitely(Collection<String> ids);

    /** Ends jobs at once. */
    void endByForce(Collection<String> ids);
}
