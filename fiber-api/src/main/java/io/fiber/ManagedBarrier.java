// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;

/**
 * A reusable barrier in the process of a {@link Manager}, at which a number of threads of any processes wait for each
 * other. The handle travels as an address. Thread-safe.
 *
 * <p>The barrier breaks if a waiting party gives up, is interrupted or its process dies, if the action throws, and by
 * {@link #abort()}. Then all parties that wait or arrive get a {@link BarrierBrokenException}, until {@link #reset()}.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedBarrier extends Serializable {

    /**
     * Waits for the other parties. The last one to arrive runs the action, if there is one, before any party continues.
     *
     * @return how many parties were still missing: {@link #parties()} - 1 for the first to arrive, 0 for the last
     * @throws BarrierBrokenException (FBR-433) if the barrier is broken, or breaks meanwhile
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the barrier is broken then
     * @throws RemoteTaskException in the last party, if the action throws; the barrier is broken then
     */
    int await();

    /**
     * Waits for the other parties, but no longer than the timeout. The last one to arrive runs the action, if there is
     * one, before any party continues.
     *
     * @param timeout 0 or less does not wait
     * @return how many parties were still missing: {@link #parties()} - 1 for the first to arrive, 0 for the last
     * @throws BarrierBrokenException (FBR-433) if the barrier is broken, breaks meanwhile, or the timeout passes
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the barrier is broken then
     * @throws RemoteTaskException in the last party, if the action throws; the barrier is broken then
     */
    int await(Duration timeout);

    /** Makes the barrier usable again. Parties that are waiting get a {@link BarrierBrokenException}. */
    void reset();

    /** Breaks the barrier. */
    void abort();

    /** Returns whether the barrier is broken. */
    boolean isBroken();

    /** Returns the number of parties for which the barrier waits. */
    int parties();

    /** Returns how many parties are waiting. */
    int waiting();
}
