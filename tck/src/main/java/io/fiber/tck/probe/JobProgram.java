// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.util.List;

/** A program that runs in a process of its own or in a simulated one, and cannot tell which. */
@FunctionalInterface
public interface JobProgram {

    /**
     * Runs until the program ends.
     *
     * @return the exit code
     * @throws Exception if it fails; the exit code is then 1
     */
    int run(JobWorld world, List<String> arguments) throws Exception;
}
