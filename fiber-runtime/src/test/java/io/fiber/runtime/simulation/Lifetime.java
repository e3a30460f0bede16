// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

/** How long a simulated process lives, and when it is stopped. */
final class Lifetime {

    private final World world;
    private long stoppedUntilNs = Long.MIN_VALUE;
    private boolean over;

    Lifetime(World world) {
        this.world = world;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** Stops the process, as SIGSTOP does. */
    void stop(long forNs) {
        stoppedUntilNs = Math.max(stoppedUntilNs, world.nowNs() + forNs);
    }

    /** Has the process run an action after a delay, later when it is stopped then, and never when it has ended. */
    void later(long delayNs, Runnable action) {
        world.later(delayNs, () -> runUnlessStopped(action));
    }

    private void runUnlessStopped(Runnable action) {
        if (over) {
            return;
        }
        if (world.nowNs() < stoppedUntilNs) {
            later(stoppedUntilNs - world.nowNs(), action);
        } else {
            action.run();
        }
    }
}
