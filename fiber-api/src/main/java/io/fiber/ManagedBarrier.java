// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * A place in the process of a {@link Manager} where a number of threads of any processes wait for each other, again and
 * again. It travels as an address. Thread-safe.
 *
 * <p>It breaks when one that waits gives up, is interrupted, or its process dies, when its action throws, and by
 * {@link #abort()}: all who wait, and all who come, get a {@link BarrierBrokenException} until {@link #reset()}.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedBarrier {

    /**
     * Waits for the other parties. The last one to come runs the action, if there is one, before any party goes on.
     *
     * @return how many were still missing: {@link #parties()} - 1 for the first to come, 0 for the last
     * @throws BarrierBrokenException (FBR-433) when the barrier is or gets broken
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the barrier is broken then
     * @throws RemoteTaskException at the last one's, when the action throws; the barrier is broken then
     */
    int await();

    /**
     * Waits for the other parties at most this long. The last one to come runs the action, if there is one, before any
     * party goes on.
     *
     * @param timeout 0 or less does not wait
     * @return how many were still missing: {@link #parties()} - 1 for the first to come, 0 for the last
     * @throws BarrierBrokenException (FBR-433) when the barrier is or gets broken, also by the end of this time
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the barrier is broken then
     * @throws RemoteTaskException at the last one's, when the action throws; the barrier is broken then
     */
    int await(Duration timeout);

    /** Makes it usable again; parties that wait now get a {@link BarrierBrokenException}. */
    void reset();

    /** Breaks it. */
    void abort();

    /** Tells whether it is broken. */
    boolean isBroken();

    /** Returns how many it waits for. */
    int parties();

    /** Returns how many wait now. */
    int waiting();
}
