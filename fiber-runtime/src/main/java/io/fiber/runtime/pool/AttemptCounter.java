// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayList;
import java.util.List;

/** The tries of one item that have failed. Belongs to the conductor. */
final class AttemptCounter {

    private final List<Answers.Block> failures = new ArrayList<>(2);
    private long busyNs;

    void failed(Answers.Block failure, long tookNs) {
        failures.add(failure);
        busyNs += tookNs;
    }

    int count() {
        return failures.size();
    }

    /** Returns what each of them threw, as a block of this item alone. */
    List<Answers.Block> failures() {
        return failures;
    }

    /** Returns how long the next one may run; 0 when there is no deadline. */
    long leftNs(long deadlineNs) {
        return deadlineNs == 0 ? 0 : Math.max(1, deadlineNs - busyNs);
    }
}
