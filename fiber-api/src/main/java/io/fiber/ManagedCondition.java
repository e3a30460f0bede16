// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.locks.Condition;

/**
 * A condition of a {@link ManagedLock}, in the process of its manager. The handle travels as an address. Callers are
 * woken in the order in which they began to wait, and there are no spurious wake-ups. If a process dies after it was
 * signalled and before it has the lock again, the signal goes to the next caller.
 *
 * <p>A thread whose wait has ended holds the lock, even after an exception, but has another epoch. Thread-safe. If the
 * calling thread does not hold the lock, all methods throw {@link IllegalMonitorStateException} (FBR-431).
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedCondition extends Condition, Serializable {

    /**
     * Releases the lock and waits for a signal, but no longer than the timeout. Then waits until it has the lock again.
     *
     * @param timeout 0 or less does not wait for a signal
     * @return whether there was a signal
     * @throws WaitInterruptedException if the thread is interrupted while it waits for a signal
     */
    boolean await(Duration timeout);
}
