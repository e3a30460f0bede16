// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** Something that the conductor does in each cycle, after peers have been read and before they are sent to. */
public interface Duty {

    /** Does what is due; returns above 0 if another cycle should follow. What it has sent leaves in this one. */
    int doWork(long nowNs);

    /**
     * Returns whether time alone will give it something to do, within less than a twentieth of the lease: no message, no
     * command and no {@link Conductor#wake}. Then a cycle follows after some 10 ms.
     */
    default boolean isTimed() {
        return true;
    }

    /** Returns whether it waits for something that nothing signals; then a cycle follows after a millisecond. */
    default boolean isUrgent() {
        return false;
    }

    /** The conductor ends, and no cycle follows: what waits for this duty is told. */
    default void onClose() {}

    /**
     * The conductor ends by a fault; otherwise as {@link #onClose}. Called again if it throws an OutOfMemoryError, to go on
     * with what it has not done.
     *
     * @param fault what its thread has died of
     */
    default void onFault(Throwable fault) {
        onClose();
    }
}
