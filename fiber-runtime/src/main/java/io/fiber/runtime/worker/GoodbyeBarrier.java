// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import java.util.concurrent.TimeUnit;

/**
 * The goodbye of a process that ends. In shared memory it stays when the process is gone, and so does what was sent before.
 * Over a network it may have left and not arrived, and a process that ends takes it along: the process waits until the
 * master, who has read all that, says goodbye too. Belongs to the conductor.
 */
final class GoodbyeBarrier {

    /** A master that is silent for its lease is given up before; one of which only heartbeats come is waited for no longer. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private boolean left;
    private boolean heard;
    private long leftNs;

    /** The master has said goodbye. */
    void heard() {
        heard = true;
    }

    /**
     * Tells whether the goodbye was heard, or is not waited for.
     *
     * @param hasLeft whether it has left this process
     * @param isConfined whether it stays in shared memory
     */
    boolean isHeard(boolean hasLeft, boolean isConfined, long nowNs) {
        if (!hasLeft) {
            return false;
        }
        if (!left) {
            left = true;
            leftNs = nowNs;
        }
        return heard || isConfined || nowNs - leftNs > LIMIT_NS;
    }
}
