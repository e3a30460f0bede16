// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Pool;
import java.util.Set;
import java.util.stream.IntStream;

/** What these programs check of themselves, because a test runs them. A program of yours does not need it. */
final class Check {
    private Check() {}

    static void that(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("Expected: " + what);
        }
    }

    /** Checks that tasks have run in other processes, and prints how many. */
    static void ranInWorkers(Pool pool, long atLeast) {
        long tasks = pool.statistics().tasksDone();
        Set<Long> pids = Set.copyOf(pool.map(i -> ProcessHandle.current().pid(), IntStream.range(0, 20)));
        that(tasks >= atLeast, "at least " + atLeast + " tasks in workers, not " + tasks);
        that(!pids.contains(ProcessHandle.current().pid()), "no task in the process of the program");
        System.out.println("OK: " + tasks + " tasks ran in workers");
    }
}
