// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** Something that the conductor does in each cycle, after the peers have been read and before they are flushed. */
public interface Duty {

    /** Does what is due; returns above 0 when another cycle should follow. What it has sent leaves in this one. */
    int doWork(long nowNs);

    /** Returns what a peer owes, so that the conductor looks for it as often as it should. */
    default Expected expected() {
        return Expected.NOTHING;
    }

    /** Tells whether it wants every cycle, as it waits for something that is neither a message of a peer nor a command. */
    default boolean wantsEveryCycle() {
        return false;
    }

    /**
     * Tells whether time alone will give it something to do, within less than a twentieth of the lease: no message, no
     * command and no {@link Conductor#wake}.
     */
    default boolean isTimed() {
        return true;
    }

    /** The conductor ends, and no cycle follows: what waits for this duty is told. */
    default void onClose() {}

    /**
     * The conductor ends by a fault; otherwise as {@link #onClose}. Called again when it throws an OutOfMemoryError, to go on
     * with what it has not done.
     *
     * @param fault what its thread has died of
     */
    default void onFault(Throwable fault) {
        onClose();
    }
}
