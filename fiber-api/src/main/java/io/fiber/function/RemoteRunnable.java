// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;

/**
 * A task without a result, the program of a process, or the initializer of a worker: code that runs in another process
 * and returns nothing. What it captures must be serializable. It runs on a thread of the worker, on a copy of the captured values.
 */
@FunctionalInterface
public interface RemoteRunnable extends Serializable {

    /**
     * Runs the program.
     *
     * @throws Exception anything; the caller of a task gets it as a cause
     */
    void run() throws Exception;
}
