// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

/** Work that waits for a worker, added up. */
final class Backlog {

    /** How long what was measured is expected to take. */
    double measuredNs;

    /** Of how many items nothing is known. */
    double unmeasuredItems;

    void add(Call call, long items) {
        if (call.function().isMeasured()) {
            measuredNs += call.function().taskNs() * items;
        } else {
            unmeasuredItems += items;
        }
    }

    boolean isEmpty() {
        return measuredNs == 0 && unmeasuredItems == 0;
    }
}
