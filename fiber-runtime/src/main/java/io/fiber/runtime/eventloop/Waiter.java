// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits in {@link Conductor#await} for an answer. Created by the thread that is to wait; for
 * one use.
 */
public final class Waiter {

    private final Thread thread = Thread.currentThread();
    /** How its thread polls in the place of the I/O thread. */
    final Backoff backoff = new Backoff();
    /** Set when the wait begins. */
    volatile @Nullable Waiters among;

    private volatile boolean over;

    /** Ends the wait, even one that is about to begin. Thread-safe. */
    public void end() {
        over = true;
        Waiters waiters = among;
        if (waiters != null) {
            waiters.onEnd();
        }
        wake();
    }

    boolean isOver() {
        return over;
    }

    /** Wakes its thread, whether it is parked or reads in the place of the I/O thread. */
    void wake() {
        Waiters waiters = among;
        if (Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
            if (waiters != null) {
                waiters.wakeReader(thread);
            }
        }
    }
}
