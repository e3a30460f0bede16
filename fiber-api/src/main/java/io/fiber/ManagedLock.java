// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/**
 * A lock in the process of a {@link Manager}. The handle travels as an address. One thread of one process holds the
 * lock, and waiting callers are served in the order of their requests.
 *
 * <p>If the holder's process dies, the lock is free. The next caller gets it, and {@link #wasAbandoned()} tells it that
 * the guarded state may be half changed. A process that is only cut off from the network counts as dead when its lease
 * ends. Each grant has an {@link #epoch()} that is greater than all earlier ones, so that such a process does no harm
 * if it continues: the guarded resource can reject a smaller epoch than it has seen, just as the lock rejects calls
 * from a grant that has ended.
 *
 * <p>A thread that ends without releasing the lock holds it as long as its process lives, and so does a task. Unlike
 * {@link Lock#lock()}, {@link #lock()} can be interrupted: it throws {@link WaitInterruptedException}, and the thread
 * does not hold the lock. Thread-safe. Methods that acquire the lock throw {@link IllegalMonitorStateException}
 * (FBR-430) if this thread holds it and it is not reentrant. {@link #unlock()} throws it (FBR-431) if this thread does
 * not hold the lock or its grant has ended.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedLock extends Lock, Serializable {

    /**
     * Waits for the lock, but no longer than the timeout, and returns whether this thread has it.
     *
     * @param timeout 0 or less does not wait
     * @throws WaitInterruptedException if the thread is interrupted while it waits; it does not hold the lock then
     * @throws IllegalMonitorStateException (FBR-430) if this thread holds the lock and it is not reentrant
     */
    boolean tryLock(Duration timeout);

    /** Creates a condition of this lock. */
    @Override
    ManagedCondition newCondition();

    /**
     * Returns the number of this thread's grant: 1 for the first grant of the lock, and greater for each later one.
     *
     * @throws IllegalMonitorStateException (FBR-431) if this thread does not hold the lock, or its grant has ended
     */
    long epoch();

    /**
     * Returns whether the previous holder died while it held the lock. Stays true until you ask or release the lock.
     *
     * @throws IllegalMonitorStateException (FBR-431) if this thread does not hold the lock, or its grant has ended
     */
    boolean wasAbandoned();

    /** Returns how many times this thread holds the lock, which is more than once only for a reentrant lock. */
    int holdCount();

    /** Returns whether a caller holds the lock. */
    boolean isLocked();
}
