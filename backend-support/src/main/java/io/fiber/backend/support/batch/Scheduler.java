// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import java.util.Collection;
import java.util.Map;

/**
 * The requests to a batch system about the jobs that it has. {@link #states} and {@link #end} may block.
 * Thread-safe.
 */
public interface Scheduler {

    /** How jobs are ended. */
    enum Ending {
        /**
         * Waiting jobs leave the queue. Running jobs get SIGTERM, their script at least, which passes it on, and
         * nothing more; or they get nothing, and their script is one with {@link BatchScript.EndRequest#FILE}.
         */
        ASKED,
        /** At once, with everything that they have started. */
        FORCED
    }

    /**
     * Returns the states of many jobs, with as few requests as the system allows. The result lacks jobs that the system
     * does not know or no longer knows, and may contain others. The system need not know ended jobs, because the script
     * leaves its exit code in a file.
     *
     * @throws BackendUnavailableException if there is no answer, which says nothing about any job
     */
    Map<String, BatchState> states(Collection<String> ids);

    /**
     * Ends jobs. Jobs that have ended or are unknown are not an error.
     *
     * @throws BackendUnavailableException if there is no answer; the request is repeated
     */
    void end(Collection<String> ids, Ending ending);

    /** Takes what this system runs when it learns of a job's end by itself: its states are asked for at once then. */
    default void whenEnded(Runnable askNow) {}

    /**
     * Returns whether a line in the output of a job is the system's notice about a requested end. If this session
     * requested the end, the user does not see such a line. Does not block. No line is a notice by default.
     */
    default boolean isEndNotice(String line) {
        return false;
    }
}
