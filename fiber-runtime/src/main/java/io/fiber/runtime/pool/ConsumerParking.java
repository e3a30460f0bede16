// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.WaitInterruptedException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
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
        Thread thread = Thread.currentThread();
        waiting = thread;
        try {
            if (thread instanceof ForkJoinWorkerThread && !condition.getAsBoolean()) {
                parkReplaced(condition);
            } else {
                park(condition);
            }
        } finally {
            waiting = null;
        }
    }

    private void park(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.park(this);
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterruptedException(awaited, new InterruptedException());
            }
        }
    }

    /** Another thread takes the place of this one meanwhile, if its pool may have one more. */
    private void parkReplaced(BooleanSupplier condition) {
        Replaced wait = new Replaced(condition);
        try {
            ForkJoinPool.managedBlock(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException(awaited, e);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            if (wait.begun) {
                throw e;
            }
            park(condition);
        }
    }

    /** A wait in a thread of a {@link ForkJoinPool}. */
    private final class Replaced implements ForkJoinPool.ManagedBlocker {
        private final BooleanSupplier condition;
        private boolean begun;

        Replaced(BooleanSupplier condition) {
            this.condition = condition;
        }

        @Override
        public boolean block() {
            begun = true;
            park(condition);
            return true;
        }

        @Override
        public boolean isReleasable() {
            return false;
        }
    }
}
