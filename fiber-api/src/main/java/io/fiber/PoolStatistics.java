// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** The counters of a {@link Pool} since it was created, at one moment. Counters never decrease. Immutable. */
public interface PoolStatistics {

    /** Returns the number of tasks that have returned. */
    long tasksDone();

    /**
     * Returns the number of tasks that failed for good: with their own exception, a {@link WorkerLostException} or a
     * {@link TaskTimeoutException}.
     */
    long tasksFailed();

    /** Returns how many times a task that had thrown was tried again. */
    long tasksRetried();

    /** Returns the number of chunks of tasks that were sent to another worker because theirs was lost. */
    long chunksRerun();

    /** Returns the number of workers that became ready (connected and initialized), including replacements. */
    long workersStarted();

    /** Returns the number of workers that ended or stopped answering without being asked to end. */
    long workersLost();

    /** Returns the number of results that arrived for tasks that already had one. */
    long duplicatesIgnored();
}
