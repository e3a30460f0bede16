// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import java.util.Locale;

/** What is timed in a fresh program. {@code fresh_peer.py} has the same steps. */
enum Step {
    /** From the call that makes a pool to the results of its first map. */
    START(FreshProgram.WORKERS, 1, false),
    /** Tasks that return their argument, each in a message of its own as far as the caller can say. */
    SEPARATE(100_000, 1, false),
    /** The same by the default call. */
    DEFAULT(100_000, 1, false),
    /** Tasks of 1 ms in one map. */
    NAPS(5_000, 1, true),
    /** Rounds of a task of 1 ms for each worker. */
    ROUNDS(FreshProgram.WORKERS, 1_000, true);

    final int items;
    final int rounds;
    /** Whether a task sleeps for 1 ms. */
    final boolean sleeps;

    Step(int items, int rounds, boolean sleeps) {
        this.items = items;
        this.rounds = rounds;
        this.sleeps = sleeps;
    }

    static Step named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
