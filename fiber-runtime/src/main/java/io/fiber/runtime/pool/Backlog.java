// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

/**
 * Work that waits for a worker.
 *
 * @param measuredNs what of it is expected to take this long
 * @param unmeasuredItems of how many items nothing is known
 */
record Backlog(double measuredNs, double unmeasuredItems) {

    boolean isEmpty() {
        return measuredNs == 0 && unmeasuredItems == 0;
    }

    /** Adds up what waits. */
    static final class Count {
        private final double enoughNs;
        private double measuredNs;
        private double unmeasuredItems;

        /** Begins to count; no more is counted than {@code enoughNs}. */
        Count(double enoughNs) {
            this.enoughNs = enoughNs;
        }

        void add(Call call, long items) {
            if (call.function().isMeasured()) {
                measuredNs += call.function().taskNs() * items;
            } else {
                unmeasuredItems += items;
            }
        }

        boolean isEnough() {
            return measuredNs >= enoughNs;
        }

        Backlog total() {
            return new Backlog(measuredNs, unmeasuredItems);
        }
    }
}
