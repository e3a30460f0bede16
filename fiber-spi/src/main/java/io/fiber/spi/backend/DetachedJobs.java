// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Jobs that their platform keeps: they go on without the program that submitted them and without its host, and any process that
 * may use the platform finds them by a label. Thread-safe; every method waits for the platform.
 *
 * <p>A job with the label {@link #RUN} is one of them. What is left of it on the platform when it ends stays there, its output too,
 * until {@link Backend#remove}.
 */
public interface DetachedJobs {

    /** The label of such a job. Its value is the id of the run, {@code [a-z0-9]{12}}. */
    String RUN = "io.fiber.run";

    /** The label with the name of the user who submitted it. */
    String USER = "io.fiber.user";

    /** How much of a log is copied. */
    enum Until {
        /** What has been written by now. */
        NOW,
        /** All that the job writes until it ends. */
        END
    }

    /**
     * Hands the jobs that this backend has submitted over to the platform, where that is possible now: what a job still needs of
     * this host, such as its class path, has reached it. From then on nothing that becomes of this process ends them, not even
     * {@link Backend#close}.
     *
     * @return whether they were handed over. If not, ask again after the next event of each
     * @throws BackendException when the platform does not answer, or refuses
     */
    boolean handOver();

    /**
     * Returns the jobs of all runs that this user can see, also those that have ended.
     *
     * @throws BackendException when the platform does not answer, or refuses
     */
    List<DetachedJob> all();

    /**
     * Copies what a job has written to standard output and standard error.
     *
     * @throws IOException when {@code to} does not take it
     * @throws BackendException when the log cannot be had from here; the text says where it is. Or when the platform does not
     *     answer
     */
    void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException;

    /**
     * Asks the platform to end a job, and does not wait for the end. A job that has ended stays as it is.
     *
     * @param ending whether its program is asked to, or is ended at once
     * @throws BackendException when the platform does not answer, or refuses
     */
    void end(DetachedJob job, Ending ending);

    /** How a job is ended. */
    enum Ending {
        /** Its program gets SIGTERM; what waits is taken back. */
        ASKED,
        /** At once, with everything that it has started. */
        FORCED
    }
}
