// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;

/**
 * The program of a process, or the initializer of a worker: something to run in another process that returns nothing.
 * What it captures must be serializable; it runs on a thread of the worker, on a copy of what was captured.
 */
@FunctionalInterface
public interface RemoteRunnable extends Serializable {

    /**
     * Runs the program.
     *
     * @throws Exception whatever went wrong; its starter is told
     */
    void run() throws Exception;
}
