// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * A number of permits in the process of a {@link Manager}. It travels as an address. Callers that wait are served in
 * the order of asking: one that wants many is not overtaken by those that want few.
 *
 * <p>Permits that a process has acquired and not released return when it dies. Any process may release; it is counted as
 * the caller's own, or, when it has none, as that of the process that has held longest. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedSemaphore {

    /**
     * Waits for a permit.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; it has none then
     */
    default void acquire() {
        acquire(1);
    }

    /**
     * Waits for permits.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException when it is less, or more than a bounded semaphore has
     * @throws WaitInterruptedException when the thread is interrupted while it waits; it has none then
     */
    void acquire(int permits);

    /** Takes a permit if there is one and no caller waits; returns whether it did. */
    default boolean tryAcquire() {
        return tryAcquire(1, Duration.ZERO);
    }

    /**
     * Waits for permits so long; returns whether it has them.
     *
     * @param permits at least 1
     * @param timeout 0 or less does not wait
     * @throws IllegalArgumentException when {@code permits} is less, or more than a bounded semaphore has
     * @throws WaitInterruptedException when the thread is interrupted while it waits; it has none then
     */
    boolean tryAcquire(int permits, Duration timeout);

    /**
     * Gives a permit.
     *
     * @throws IllegalStateException (FBR-432) when a bounded semaphore has all of its permits
     */
    default void release() {
        release(1);
    }

    /**
     * Gives permits.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException (FBR-432) when a bounded semaphore would have more than it began with
     */
    void release(int permits);

    /** Returns how many permits there are now. */
    int availablePermits();
}
