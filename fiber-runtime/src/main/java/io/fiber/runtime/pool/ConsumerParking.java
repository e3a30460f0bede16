// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.WaitInterruptedException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets one thread wait for events of another without a lock. The waiting thread may change from wait to wait. */
final class ConsumerParking {

    private final String awaited;
    private volatile @Nullable Thread waiting;

    /** Prepares waits for something, named as in "interrupted while waiting for ...". */
    ConsumerParking(String awaited) {
        this.awaited = awaited;
    }

    /** Ends a wait, also one that is about to begin. Any thread may call it. */
    void wake() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits until the condition is true; it is asked again after each wake.
     *
     * @throws WaitInterruptedException when the thread is interrupted meanwhile; it stays so
     */
    void await(BooleanSupplier condition) {
        waiting = Thread.currentThread();
        try {
            while (!condition.getAsBoolean()) {
                LockSupport.park(this);
                if (Thread.currentThread().isInterrupted()) {
                    throw new WaitInterruptedException(awaited, new InterruptedException());
                }
            }
        } finally {
            waiting = null;
        }
    }
}
