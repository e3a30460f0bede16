// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;

/**
 * A flag in the process of a {@link Manager} for which callers can wait. The handle travels as an address. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedEvent extends Serializable {

    /** Sets the flag and releases all waiting callers. */
    void set();

    /** Clears the flag, so that later callers wait. */
    void clear();

    /** Returns whether the flag is set. */
    boolean isSet();

    /**
     * Waits until the flag is set. Returns at once if it is set already.
     *
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    void await();

    /**
     * Waits until the flag is set or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether the flag was set
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    boolean await(Duration timeout);
}
