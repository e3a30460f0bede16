// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.simulation.World;

/** The pool's machine alone under the faults of a seed. */
public final class PoolSchedule {

    private PoolSchedule() {}

    /** A promise that the machine has broken. */
    public static final class Failure extends AssertionError {
        private static final long serialVersionUID = 1L;

        private final String what;
        private final String story;

        Failure(String what, String story, Throwable cause) {
            super(what, cause);
            this.what = what;
            this.story = story;
        }

        /** Returns which promise it is, in one line. */
        public String what() {
            return what;
        }

        /** Returns what happened before. */
        public String story() {
            return story;
        }
    }

    /** Runs the schedule of a seed and returns its story, empty when it is not kept. */
    public static String run(long seed, World.Memory memory) {
        PoolSimulation simulation = new PoolSimulation(seed, memory);
        try {
            simulation.run();
            return simulation.story();
        } catch (AssertionError | RuntimeException e) {
            throw new Failure(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()), simulation.story(), e);
        }
    }
}
