// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.util.List;

/** Ends at once with the exit code that its first argument says. */
public final class ExitMain implements JobProgram {

    /** Creates the program. */
    public ExitMain() {}

    /** Runs the program as a process. */
    public static void main(String[] arguments) {
        ProcessWorld.exitWith(new ExitMain(), arguments);
    }

    @Override
    public int run(JobWorld world, List<String> arguments) {
        return Integer.parseInt(arguments.get(0));
    }
}
