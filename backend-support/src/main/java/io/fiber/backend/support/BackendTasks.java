// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.util.concurrent.Future;

/** Where the parts of a backend have their work done: the {@link BackendThreads}, or what a test puts in their place. */
public interface BackendTasks {

    /** Runs a task on the backend's own thread, which never waits for the platform. */
    void later(Runnable action);

    /** Runs a task on the backend's own thread after a delay. */
    Future<?> after(long delayNs, Runnable action);

    /** Runs a question on a thread that may wait for the platform. */
    void ask(Runnable question);

    /** Runs a question on a thread that may wait for the platform, after a while: the platform did not answer. */
    void askAgain(Runnable question);
}
