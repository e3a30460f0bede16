// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that a session belongs to.
 *
 * @param parent name of the process that started it; empty for the main one
 * @param worker what a worker is and has; empty where the session makes its own
 * @param numbers numbers of what was started here
 */
record ProcessPlace(String name, Optional<String> parent, Optional<NestedSession.Worker> worker, Numbers numbers) {

    private static final String MAIN_PROCESS = "main";

    /** Returns the process that was started by a person. */
    static ProcessPlace main() {
        return new ProcessPlace(MAIN_PROCESS, Optional.empty(), Optional.empty(), new Numbers());
    }

    /** Counts what a process has started, so that no two have one name. Thread-safe. */
    static final class Numbers {
        private final AtomicInteger pools = new AtomicInteger();
        private final AtomicInteger processes = new AtomicInteger();
        private final AtomicLong jobs = new AtomicLong();

        long nextJob() {
            return jobs.incrementAndGet();
        }

        int nextPool() {
            return pools.incrementAndGet();
        }

        /** Returns what {@link #nextPool} will return, if it is called next. */
        int comingPool() {
            return pools.get() + 1;
        }

        int nextProcess() {
            return processes.incrementAndGet();
        }
    }
}
