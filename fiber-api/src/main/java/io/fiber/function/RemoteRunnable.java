// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Resources;
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

    /**
     * Returns a program that does the same and says what it needs of its machine; it comes before {@link io.fiber.Meta}. Not
     * to be overridden.
     *
     * <pre>{@code fiber.process(train.needing(Resources.cpus(2).memory("4g"))).start(); }</pre>
     *
     * @param resources what it needs
     */
    default RemoteRunnable needing(Resources resources) {
        return new FunctionWithResources.ToRunnable(this, requireNonNull(resources, "resources"));
    }
}
