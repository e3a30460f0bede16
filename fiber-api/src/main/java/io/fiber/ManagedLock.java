// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

/**
 * A lock in the process of a {@link Manager}. It travels as an address. Its holder is one thread of one process;
 * callers that wait are served in the order of asking.
 *
 * <p>When the process of the holder dies, the lock is free: the next one to get it succeeds, and {@link
 * #wasAbandoned()} tells it that what the lock guards may be half done. A process that only the network has cut off is
 * taken for dead when its lease ends; so that it cannot do harm when it goes on, each grant has an {@link #epoch()},
 * greater than all before: the guarded resource can refuse a smaller one than it has seen, as the lock itself refuses
 * what comes from a grant that has ended.
 *
 * <p>A thread that ends without giving the lock back holds it as long as its process lives; so does a task. Thread-safe.
 * Differs from {@link Lock} in that {@link #lock()} can be interrupted: it throws {@link WaitInterruptedException}, and the
 * thread does not hold the lock then. What takes the lock throws {@link IllegalMonitorStateException} (FBR-430) when this
 * thread holds it and it is not reentrant, {@link #unlock()} (FBR-431) when this thread does not hold it or its grant has
 * ended.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedLock extends Lock {

    /**
     * Waits for the lock so long; returns whether it has it.
     *
     * @param timeout 0 or less does not wait
     * @throws WaitInterruptedException when the thread is interrupted while it waits; it does not hold the lock then
     * @throws IllegalMonitorStateException (FBR-430) when this thread holds the lock and it is not reentrant
     */
    boolean tryLock(Duration timeout);

    /** Makes a condition of this lock. */
    @Override
    ManagedCondition newCondition();

    /**
     * Returns the number of this thread's grant: 1 for the first grant of the lock, and greater for each later one.
     *
     * @throws IllegalMonitorStateException (FBR-431) when this thread does not hold it, or its grant has ended
     */
    long epoch();

    /**
     * Tells whether the holder before this one died holding it. True until it was asked or the lock given back.
     *
     * @throws IllegalMonitorStateException (FBR-431) when this thread does not hold it, or its grant has ended
     */
    boolean wasAbandoned();

    /** Returns how often this thread holds the lock: more than once only if it is reentrant. */
    int holdCount();

    /** Tells whether a caller holds the lock. */
    boolean isLocked();
}
