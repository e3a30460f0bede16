// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link Pool} does at one moment.
 *
 * @param tasksWaiting tasks of open calls that are with no worker, as far as they are known: of a call over a stream only
 *     those that were read ahead
 * @param workers every worker that the pool has, in the order in which they were started
 */
public record PoolActivity(long tasksWaiting, List<Worker> workers) {

    /** Where a worker stands. */
    public enum State {
        /** Its job was submitted; it has not connected, or runs its initializer. */
        STARTING,
        /** It runs tasks, or waits for some. */
        READY,
        /** It is given no more tasks, and ends when it has done those it has. */
        LEAVING
    }

    /**
     * One worker of a pool.
     *
     * @param name its name, which is that of its job
     * @param state where it stands
     * @param tasksRunning tasks that it runs now: at most one for each of its threads
     * @param tasksHeld tasks that it was sent and has not answered, those that it runs included
     * @param host where it runs, as the platform calls it; empty until the platform has said so
     * @param waitsFor why its job has not begun to run, in the platform's own words; empty when it has, or when the platform
     *     has not said why
     * @param memoryBytes resident memory of its process, as it said when {@link Pool#activity} was called before; empty at
     *     the first call, and where its system does not tell it (only Linux does)
     * @param cpuTime processor time of all threads of its process since its start, as of the previous call of
     *     {@link Pool#activity}; empty like its memory
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

    /** Returns how many tasks run now. */
    public int tasksRunning() {
        return workers.stream().mapToInt(Worker::tasksRunning).sum();
    }
}
