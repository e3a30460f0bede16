// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * What a {@link Pool} has counted since it was made, at one moment. Counters never go down.
 *
 * @param tasksDone tasks that have returned
 * @param tasksFailed tasks that failed at last: by their own exception, with a {@link WorkerLostException} or with a
 *     {@link TaskTimeoutException}
 * @param tasksRetried how often a task that had thrown was tried again
 * @param chunksRerun chunks of tasks that were given to another worker because theirs was lost
 * @param workersStarted workers that became ready (connected, and through the initializer), replacements included
 * @param workersLost workers that ended or fell silent without being asked to
 * @param duplicatesIgnored results that arrived for tasks which had one already
 */
public record PoolStatistics(
        long tasksDone,
        long tasksFailed,
        long tasksRetried,
        long chunksRerun,
        long workersStarted,
        long workersLost,
        long duplicatesIgnored) {}
