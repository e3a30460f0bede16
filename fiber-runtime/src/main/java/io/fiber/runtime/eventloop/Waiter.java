// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits in {@link Conductor#await} for what the conductor brings. Made by the thread that is to wait; for
 * one use.
 */
public final class Waiter {

    private final Thread thread = Thread.currentThread();
    private volatile boolean over;
    /** How its thread idles while it leads; then it may wait where no unpark reaches it. */
    private volatile @Nullable ConductorIdle leading;

    /** Ends the wait, also one that is about to begin. Any thread may call it. */
    public void end() {
        over = true;
        wake();
    }

    boolean isOver() {
        return over;
    }

    /** Its thread leads from now on, and idles by this. */
    void lead(ConductorIdle idle) {
        leading = idle;
    }

    void wake() {
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
            ConductorIdle idle = leading;
            if (idle != null) {
                idle.wake();
            }
        }
    }
}
