// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.Optional;

/** Sets the options of a {@link FiberProcess} and starts it. {@link Fiber#processBuilder} creates it. */
public interface FiberProcessBuilder extends JobBuilder<FiberProcessBuilder> {

    /**
     * Makes the process a daemon: closing the session terminates it instead of waiting for it. Unlike a daemon of
     * Python's multiprocessing, it may start processes of its own, which end with it.
     */
    FiberProcessBuilder daemon();

    /**
     * Starts the process and waits until the worker in it has connected. There is no limit on the wait in a cluster's
     * queue; the start limit begins when the job runs.
     *
     * @throws ProcessStartException FBR-310 if the process was rejected or ended before it had connected, with its last
     *     log lines; FBR-311 if the start limit has passed
     * @throws FiberException if the program cannot be serialized
     * @throws IllegalStateException (FBR-302) if the session is closed
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the process is terminated then
     */
    FiberProcess start();

    /**
     * Returns what {@link #start()} would submit with the options set so far, for example the script of a cluster's job
     * or a command line. The text is for people to read and contains no secrets. Starts nothing. May
     * read the files of the class path, but does not contact the platform.
     *
     * @return empty if the backend shows nothing, or in a worker, whose jobs its master submits
     * @throws FiberException the error with which the start would fail, as far as it is known without the platform
     */
    Optional<String> preview();
}
