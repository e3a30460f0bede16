// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.PoolStatistics;

/** What a pool counts of its work; it is told by what it was done. Belongs to the conductor. */
final class PoolTally {

    long itemsAnswered;
    long itemsFailed;
    long workersLost;
    long lateAnswers;

    PoolStatistics statistics(Roster roster, TaskLedger ledger, Retries retries) {
        return new PoolStatistics(
                itemsAnswered,
                itemsFailed,
                retries.total(),
                ledger.rerun(),
                roster.started(),
                workersLost,
                lateAnswers);
    }
}
