// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.backend.BackendException;
import java.util.Optional;

/** Starts a {@link FiberProcess} with choices named; made by {@link Fiber#processBuilder}. */
public interface FiberProcessBuilder extends JobBuilder<FiberProcessBuilder> {

    /**
     * Makes it a daemon: closing the session terminates it instead of waiting for it. Unlike one of Python's it may start
     * processes of its own; they end with it.
     */
    FiberProcessBuilder daemon();

    /**
     * Starts the process and waits until the worker in it has connected. Waiting in a cluster's queue has no limit;
     * from the moment the job runs the start limit counts.
     *
     * @throws ProcessStartException FBR-310 when it was refused or ended before it had connected, with its last log
     *     lines; FBR-311 when the start limit passed
     * @throws FiberException when the program cannot be serialized
     * @throws IllegalStateException (FBR-302) when the session is closed, (FBR-306) when this builder was used before
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the process is terminated then
     */
    FiberProcess start();

    /**
     * Returns what {@link #start()} would submit, with the choices made so far: the script of a cluster's job, for example,
     * or a command line. For a person who reads it; it holds no secrets. Starts nothing, and the builder can be used
     * further. May read the files of the class path; asks the platform nothing.
     *
     * @return empty when the backend shows nothing, and in a worker, whose master submits its jobs
     * @throws BackendException what the start would be refused with, as far as it is known without the platform
     */
    Optional<String> preview();
}
