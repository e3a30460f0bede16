// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.concurrent.locks.Condition;

/**
 * A condition of a {@link ManagedLock}, in the process of its manager. It travels as an address. Callers that wait are
 * woken in the order of waiting; there are no wake-ups without a signal. A signal for a process that dies before it has
 * the lock again goes to the next that waits.
 *
 * <p>All methods throw {@link IllegalMonitorStateException} (FBR-431) when this thread does not hold the lock. A thread
 * whose wait has ended holds the lock, also after an exception, but has another epoch. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedCondition extends Condition {

    /**
     * Gives the lock back and waits for a signal so long; then waits for the lock.
     *
     * @param timeout 0 or less does not wait for a signal
     * @return whether there was a signal
     * @throws WaitInterruptedException when the thread is interrupted while it waits for a signal
     */
    boolean await(Duration timeout);
}
