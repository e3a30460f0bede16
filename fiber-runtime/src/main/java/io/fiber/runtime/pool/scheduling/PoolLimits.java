// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.OptionalInt;

/**
 * The numbers that a pool keeps to.
 *
 * @param workers how many workers run at one time
 * @param threads how many task threads each of them has
 * @param maxTasksPerWorker after how many items a worker is replaced
 * @param maxFailedStarts after how many failed starts in a row the pool gives up when no worker is ready, or starts no more
 *     when others are and the initializer has ended as many
 * @param firstBackoffNs how long after the first failed start the next one follows; doubles with each
 * @param greatestBackoffNs what it does not grow beyond
 * @param startsAtOnce how many workers may be starting at the same time
 */
public record PoolLimits(
        int workers,
        int threads,
        OptionalInt maxTasksPerWorker,
        int maxFailedStarts,
        long firstBackoffNs,
        long greatestBackoffNs,
        int startsAtOnce) {}
