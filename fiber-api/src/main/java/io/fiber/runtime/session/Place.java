// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.conductor.Conductor;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process that a session belongs to.
 *
 * @param name its name in the program
 * @param parent name of the process that started it; empty for the main one
 * @param conductor the conductor of a worker; empty where the session makes its own
 * @param numbers numbers of what was started here
 */
record Place(String name, Optional<String> parent, Optional<Conductor> conductor, Numbers numbers) {

    private static final String MAIN_PROCESS = "main";

    /** Returns the process that was started by a person. */
    static Place main() {
        return new Place(MAIN_PROCESS, Optional.empty(), Optional.empty(), new Numbers());
    }

    /** Counts what a process has started, so that no two have one name. Thread-safe. */
    static final class Numbers {
        private final AtomicInteger pools = new AtomicInteger();
        private final AtomicInteger processes = new AtomicInteger();

        int nextPool() {
            return pools.incrementAndGet();
        }

        int nextProcess() {
            return processes.incrementAndGet();
        }
    }
}
