// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * A flag in the process of a {@link Manager} that can be waited for. It travels as an address. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedEvent {

    /** Sets it: all who wait go on. */
    void set();

    /** Clears it: later callers wait. */
    void clear();

    /** Tells whether it is set. */
    boolean isSet();

    /**
     * Waits until it is set; not at all when it is.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    void await();

    /**
     * Waits until it is set, or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether it was set
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    boolean await(Duration timeout);
}
