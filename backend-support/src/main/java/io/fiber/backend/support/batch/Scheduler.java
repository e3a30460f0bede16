// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import java.util.Collection;
import java.util.Map;

/** What a batch system is asked and told about jobs that it has. Thread-safe; every method may block. */
public interface Scheduler {

    /** How jobs are ended. */
    enum Ending {
        /** Those that wait leave the queue; every process of the others gets SIGTERM, and nothing more. */
        ASKED,
        /** At once, with everything that they have started. */
        FORCED
    }

    /**
     * Asks about many jobs by as few questions as the system allows. Jobs that it does not know, or knows no more, are not in
     * the result, which may have others. An ended job need not be known: its script leaves its exit code in a file.
     *
     * @throws BackendUnavailableException when there is no answer; that says nothing of any job
     */
    Map<String, BatchState> states(Collection<String> ids);

    /**
     * Ends jobs; those that have ended or are not known are no failure.
     *
     * @throws BackendUnavailableException when there is no answer; the system is told again
     */
    void end(Collection<String> ids, Ending ending);

    /**
     * Tells whether a line in the output of a job is the system's own, about an end that it was told to make. The user does not
     * see such a line when this session told it. Does not block; by default there is none.
     */
    default boolean isEndNotice(String line) {
        return false;
    }
}
