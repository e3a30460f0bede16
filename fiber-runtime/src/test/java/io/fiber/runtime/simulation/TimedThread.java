// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A thread of a simulated process with a processor of its own: what it runs takes as long in the time of the world as it really
 * took the processor, and it runs one thing after the other.
 */
final class TimedThread {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final World world;
    private long freeNs;
    private long busyNs;

    TimedThread(World world) {
        this.world = world;
        this.freeNs = world.nowNs();
    }

    /** Runs an action as soon as it has run what it was given before. */
    void submit(Runnable action) {
        world.later(freeNs - world.nowNs(), () -> {
            if (world.nowNs() < freeNs) {
                submit(action);
            } else {
                run(action);
            }
        });
    }

    /** Runs an action now; returns how long it takes. */
    long run(Runnable action) {
        long tookNs = world.spend(action, THREADS::getCurrentThreadCpuTime);
        busyNs += tookNs;
        freeNs = world.nowNs() + tookNs;
        return tookNs;
    }

    /** Returns since when, or from when on, it has nothing to run. */
    long freeNs() {
        return freeNs;
    }

    /** Returns how long it has run. */
    long busyNs() {
        return busyNs;
    }
}
