// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.util.List;

/**
 * Runs commands when the process of the session is gone without having cleaned up, for example after {@code kill -9}:
 * a small child process waits for the end of its parent. Thread-safe; does not block.
 *
 * <p>It is the second line. The first is that a job of Fiber ends itself when its master is silent for a lease; the
 * reaper serves plain commands, stopped jobs, and jobs that still wait in a cluster's queue. When the host died as well
 * no command is run.
 */
public interface Reaper {

    /**
     * An argument of the child process, by which it is known in a list of processes. A job may have such a child of its
     * own, which removes the job's files: a backend that ends a job by force, with everything it started, lets this one
     * live. It ends by itself a few seconds after its parent.
     */
    String PROCESS_NAME = "fiber-reaper";

    /**
     * Registers a command that is run once, after this process has ended, unless the registration was cancelled.
     *
     * @param command program and arguments, not interpreted by a shell; safe to be run when the job is already gone; it
     *     holds no secret, because other users can read it in the list of processes
     */
    Registration onDeath(List<String> command);

    /** A command that waits for this process to die. */
    interface Registration {
        /** Takes the command back; a second call does nothing. */
        void cancel();
    }
}
