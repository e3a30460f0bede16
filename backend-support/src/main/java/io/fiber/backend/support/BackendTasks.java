// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.util.concurrent.Future;

/** Runs the tasks of a backend's parts: the {@link BackendThreads}, or a replacement in a test. */
public interface BackendTasks {

    /** Runs a task on the backend's own thread, which never waits for the platform. */
    void later(Runnable action);

    /** Runs a task on the backend's own thread after a delay. */
    Future<?> after(long delayNs, Runnable action);

    /** Runs a request on a thread that may wait for the platform. */
    void ask(Runnable question);

    /**
     * Repeats a request that the platform did not answer: after a pause, on a thread that may block.
     */
    void askAgain(Runnable question);
}
