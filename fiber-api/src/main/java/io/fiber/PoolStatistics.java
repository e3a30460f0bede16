// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * The counters of a {@link Pool} since it was created, at one moment. Counters never decrease.
 *
 * @param tasksDone tasks that have returned
 * @param tasksFailed tasks that failed for good: with their own exception, a {@link WorkerLostException} or a {@link
 *     TaskTimeoutException}
 * @param tasksRetried how many times a task that had thrown was tried again
 * @param chunksRerun chunks of tasks that were sent to another worker because theirs was lost
 * @param workersStarted workers that became ready (connected and initialized), including replacements
 * @param workersLost workers that ended or stopped answering without being asked to end
 * @param duplicatesIgnored results that arrived for tasks that already had one
 */
public record PoolStatistics(
        long tasksDone,
        long tasksFailed,
        long tasksRetried,
        long chunksRerun,
        long workersStarted,
        long workersLost,
        long duplicatesIgnored) {}
