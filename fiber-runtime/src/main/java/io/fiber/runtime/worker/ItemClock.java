// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

/**
 * When a task thread looks at the clock between items. That takes longer than many an item, so after quick ones it is left
 * out a few times. Used by one thread.
 */
final class ItemClock {

    private static final long QUICK_NS = 1_000;
    /** So many slow items may follow on quick ones before the clock notices. */
    private static final int UNSEEN_ITEMS = 3;

    private long seenNs;
    private int sinceSeen;
    private int unseen;

    /** Starts anew. */
    void begin(long nowNs) {
        seenNs = nowNs;
        sinceSeen = 0;
        unseen = 0;
    }

    /** An item has run; tells whether it is time to look. */
    boolean isDue() {
        sinceSeen++;
        return sinceSeen > unseen;
    }

    /** Takes the time that was looked at. */
    void seen(long nowNs) {
        unseen = nowNs - seenNs < sinceSeen * QUICK_NS ? UNSEEN_ITEMS : 0;
        seenNs = nowNs;
        sinceSeen = 0;
    }
}
