// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

/**
 * Decides when a task thread reads the clock between items. Reading takes longer than many items, so it is skipped a
 * few times after quick items. Used by one thread.
 */
final class ItemClock {

    private static final long QUICK_NS = 1_000;
    /** How many slow items may follow quick ones before the clock notices. */
    private static final int UNSEEN_ITEMS = 3;

    private long seenNs;
    private int sinceSeen;
    private int unseen;

    /** Starts again. */
    void begin(long nowNs) {
        seenNs = nowNs;
        sinceSeen = 0;
        unseen = 0;
    }

    /** Called after each item; returns whether it is time to read the clock. */
    boolean isDue() {
        sinceSeen++;
        return sinceSeen > unseen;
    }

    /** Records the time that was read. */
    void seen(long nowNs) {
        unseen = nowNs - seenNs < sinceSeen * QUICK_NS ? UNSEEN_ITEMS : 0;
        seenNs = nowNs;
        sinceSeen = 0;
    }
}
