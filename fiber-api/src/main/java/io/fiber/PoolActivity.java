// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link Pool} does at one moment.
 *
 * @param tasksWaiting tasks of open calls that are not with a worker, as far as they are known; of a call over a
 *     stream, only the tasks that were read ahead
 * @param workers all workers of the pool, in the order in which they were started
 */
public record PoolActivity(long tasksWaiting, List<Worker> workers) {

    /** The state of a worker. */
    public enum State {
        /** The worker's job was submitted. The worker has not connected, or is running its initializer. */
        STARTING,
        /** The worker runs tasks or waits for them. */
        READY,
        /** The worker receives no more tasks, and ends when it has finished those it has. */
        LEAVING
    }

    /**
     * One worker of a pool.
     *
     * @param name name of the worker and of its job
     * @param state state of the worker
     * @param tasksRunning how many tasks it runs now: at most one for each of its threads
     * @param tasksHeld how many tasks it was sent and has not answered, including those that it runs
     * @param host name that the platform gives the worker's host; empty until the platform has reported it
     * @param waitsFor the platform's own words for why the job does not run yet; empty if it runs, or if the platform
     *     gave no reason
     * @param memoryBytes resident memory of its process, as reported when {@link Pool#activity} was last called; empty
     *     at the first call and on systems other than Linux
     * @param cpuTime processor time of all threads of its process since its start, as reported when {@link
     *     Pool#activity} was last called; empty in the same cases as {@code memoryBytes}
     */
    public record Worker(
            String name,
            State state,
            int tasksRunning,
            long tasksHeld,
            Optional<String> host,
            Optional<String> waitsFor,
            OptionalLong memoryBytes,
            Optional<Duration> cpuTime) {}

    /** Copies the list. */
    public PoolActivity {
        workers = List.copyOf(workers);
    }

    /** Returns how many tasks are running. */
    public int tasksRunning() {
        return workers.stream().mapToInt(Worker::tasksRunning).sum();
    }
}
