// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;

/**
 * A number of permits in the process of a {@link Manager}. The handle travels as an address. Waiting callers are served
 * in the order of their requests: callers that want few permits do not overtake one that wants many.
 *
 * <p>If a process dies, the permits that it has acquired and not released return. Any process may release permits. They
 * count as the caller's own; if it has none, they count as those of the process that has held permits longest.
 * Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedSemaphore extends Serializable {

    /**
     * Waits for a permit.
     *
     * @throws WaitInterruptedException if the thread is interrupted while it waits; it has no permit then
     */
    default void acquire() {
        acquire(1);
    }

    /**
     * Waits for permits.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException if {@code permits} is less than 1, or more than a bounded semaphore has
     * @throws WaitInterruptedException if the thread is interrupted while it waits; it has no permits then
     */
    void acquire(int permits);

    /** Takes a permit if there is one and no caller is waiting, and returns whether it did. */
    default boolean tryAcquire() {
        return tryAcquire(1, Duration.ZERO);
    }

    /**
     * Waits for permits, but no longer than the timeout, and returns whether this thread has them.
     *
     * @param permits at least 1
     * @param timeout 0 or less does not wait
     * @throws IllegalArgumentException if {@code permits} is less than 1, or more than a bounded semaphore has
     * @throws WaitInterruptedException if the thread is interrupted while it waits; it has no permits then
     */
    boolean tryAcquire(int permits, Duration timeout);

    /**
     * Releases a permit.
     *
     * @throws IllegalStateException (FBR-432) if a bounded semaphore has all of its permits
     */
    default void release() {
        release(1);
    }

    /**
     * Releases permits.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException if {@code permits} is less than 1
     * @throws IllegalStateException (FBR-432) if a bounded semaphore would exceed its initial number of permits
     */
    void release(int permits);

    /** Returns how many permits are available now. */
    int availablePermits();
}
