// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits in {@link Conductor#await} for what the conductor brings. Made by the thread that is to wait; for
 * one use.
 */
public final class Waiter {

    private final Thread thread = Thread.currentThread();
    private volatile boolean over;

    /** Ends the wait, also one that is about to begin. Any thread may call it. */
    public void end() {
        over = true;
        wake();
    }

    boolean isOver() {
        return over;
    }

    void wake() {
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
        }
    }
}
