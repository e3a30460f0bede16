// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.conductor;

/** Something that the conductor does in each cycle, after the peers have been read and before they are flushed. */
public interface Duty {

    /**
     * Does what is due.
     *
     * @return above 0 when something was done
     */
    int doWork(long nowNs);

    /** Tells whether a peer owes an answer, so that the conductor should look for it often. */
    default boolean isFrameExpected() {
        return false;
    }

    /** The conductor ends, in order or by a fault, and no cycle follows: nobody may wait for this duty any more. */
    default void onClose() {}
}
