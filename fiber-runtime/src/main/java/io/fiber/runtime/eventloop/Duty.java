// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** Something that the conductor does in each cycle, after peers have been read and before they are sent to. */
public interface Duty {

    /** Does what is due; returns above 0 if another cycle should follow. Messages that it offers leave in this one. */
    int doWork(long nowNs);

    /**
     * Returns whether it waits for a time limit, which no message, command or {@link Conductor#wake} will signal. While one
     * duty does, a cycle follows after 10 to 100 ms. Otherwise it follows as the silence grows, up to a twentieth of the lease
     * and at most 5 s.
     */
    default boolean isTimed() {
        return true;
    }

    /** Returns whether it waits for something that nothing signals; then a cycle follows after 1 to 100 ms. */
    default boolean isUrgent() {
        return false;
    }

    /** The conductor ends, and no cycle follows: what waits for this duty is told. */
    default void onClose() {}

    /**
     * As {@link #onClose}, after a fault. Called again if it throws an OutOfMemoryError, so it continues where it stopped.
     *
     * @param fault what its thread has died of
     */
    default void onFault(Throwable fault) {
        onClose();
    }
}
