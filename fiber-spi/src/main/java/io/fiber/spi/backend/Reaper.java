// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.util.List;

/**
 * Runs commands if the session's process has ended without cleaning up, for example after {@code kill -9}. A small
 * child process waits for the end of its parent. Does not block. Thread-safe.
 *
 * <p>The reaper is the second line of defence. The first is that a job of Fiber exits on its own if its master is silent
 * for a lease. The reaper is for plain commands, stopped jobs, and jobs that still wait in a cluster's queue. If the
 * host has died as well, no command is run.
 */
public interface Reaper {

    /**
     * An argument that identifies the child process in lists of processes. A job may have such a child of its own,
     * which removes the job's files. A backend that kills a job and everything it started must spare this child. The
     * child exits on its own a few seconds after its parent.
     */
    String PROCESS_NAME = "fiber-reaper";

    /**
     * Registers a command that is run once after this process has ended, unless the registration was cancelled.
     *
     * @param command program and arguments, not interpreted by a shell. It must be safe to run if the job is already
     *     gone. It must not contain a secret, because other users can see it in the list of processes
     */
    Registration onDeath(List<String> command);

    /** A command that waits for this process to die. */
    interface Registration {
        /** Cancels the command. Idempotent. */
        void cancel();
    }
}
