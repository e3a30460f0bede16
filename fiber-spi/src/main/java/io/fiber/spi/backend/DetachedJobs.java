// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Jobs that their platform keeps. They continue without the program that submitted them and without its host, and any
 * process that may use the platform can find them by a label. Every method waits for the platform. Thread-safe.
 *
 * <p>A job with the label {@link #RUN} is such a job. When it ends, its remains on the platform, including its output,
 * stay until {@link Backend#remove}.
 */
public interface DetachedJobs {

    /** The label of such a job. Its value is the id of the run, {@code [a-z0-9]{12}}. */
    String RUN = "io.fiber.run";

    /** The label with the name of the user who submitted the job. */
    String USER = "io.fiber.user";

    /** How much of a log is copied. */
    enum Until {
        /** What has been written so far. */
        NOW,
        /** Everything that the job writes until it ends. */
        END
    }

    /**
     * Hands the submitted jobs of this backend over to the platform if this is possible now, that is, if each job has
     * received everything that it needs from this host, such as its class path. From then on, nothing that happens to
     * this process ends the jobs, not even {@link Backend#close}, and {@link Backend#submit} throws {@link
     * IllegalStateException}.
     *
     * @return whether they were handed over. If not, ask again after the next event of each job
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    boolean handOver();

    /**
     * Returns the jobs of all runs that this user can see, including those that have ended.
     *
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    List<DetachedJob> all();

    /**
     * Copies what a job has written to standard output and standard error.
     *
     * @throws IOException if {@code to} fails
     * @throws BackendException if the log is not available here, in which case the message says where it is, or if the
     *     platform does not answer
     */
    void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException;

    /**
     * Asks the platform to end a job and does not wait for the end. A job that has already ended is not changed.
     *
     * @param ending whether its program is asked to end, or killed
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    void end(DetachedJob job, Ending ending);

    /** How a job is ended. */
    enum Ending {
        /** Its program receives SIGTERM; a job that waits is withdrawn. */
        ASKED,
        /** The job is killed at once with everything that it has started. */
        FORCED
    }
}
