// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolStatistics;

/** The counters of a pool at one moment. */
public record PoolCounts(
        long tasksDone,
        long tasksFailed,
        long tasksRetried,
        long chunksRerun,
        long workersStarted,
        long workersLost,
        long duplicatesIgnored)
        implements PoolStatistics {

    /** The counters of a new pool. */
    public static final PoolCounts NONE = new PoolCounts(0, 0, 0, 0, 0, 0, 0);
}
