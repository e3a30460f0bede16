// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link Pool} does at one moment.
 *
 * <p>Immutable.
 */
public interface PoolActivity {

    /** The state of a worker. */
    enum State {
        /** The worker's job was submitted. The worker has not connected, or is running its initializer. */
        STARTING,
        /** The worker runs tasks or waits for them. */
        READY,
        /** The worker receives no more tasks, and ends when it has finished those it has. */
        LEAVING
    }

    /** One worker of a pool. */
    interface Worker {

        /** Returns the name of the worker and of its job. */
        String name();

        /** Returns the state of the worker. */
        State state();

        /** Returns how many tasks it runs now: at most one for each of its threads. */
        int tasksRunning();

        /** Returns how many tasks it was sent and has not answered, including those that it runs. */
        long tasksHeld();

        /** Returns the name that the platform gives the worker's host; empty until the platform has reported it. */
        Optional<String> host();

        /**
         * Returns the platform's own words for why the job does not run yet; empty if it runs, or if the platform gave
         * no reason.
         */
        Optional<String> waitsFor();

        /**
         * Returns the resident memory of its process, as reported when {@link Pool#activity} was last called; empty at
         * the first call and on systems other than Linux.
         */
        OptionalLong memoryBytes();

        /**
         * Returns the processor time of all threads of its process since its start, as reported when {@link
         * Pool#activity} was last called; empty in the same cases as {@link #memoryBytes}.
         */
        Optional<Duration> cpuTime();
    }

    /**
     * Returns the number of tasks of open calls that are not with a worker, as far as they are known; of a call over a
     * stream, only the tasks that were read ahead.
     */
    long tasksWaiting();

    /** Returns all workers of the pool, in the order in which they were started; unmodifiable. */
    List<Worker> workers();

    /** Returns how many tasks are running. */
    default int tasksRunning() {
        return workers().stream().mapToInt(Worker::tasksRunning).sum();
    }
}
