// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.BackendException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a {@link Pool} with choices named. Each may be made once; what is not said has a default. Ends with
 * {@link #start()} or {@link #build()}. Belongs to one thread.
 */
public interface PoolBuilder {

    /**
     * Names the pool; its workers' names, logs and errors show it.
     *
     * @param poolName not blank. Default: {@code pool-} and a number
     * @throws IllegalArgumentException when it is blank
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder named(String poolName);

    /**
     * Lets each worker run several tasks at a time, each on a thread of its own: one JVM for a whole node instead of one for
     * each processor. Tasks of one worker share its memory and static state, and its fate: what ends its JVM ends them all, and
     * those that had begun run again as {@link #retries} says.
     *
     * @param threads 1 to 1,024. Default: 1. A worker for which neither {@link #resources} nor {@link Meta} says how
     *     many processors it needs asks for as many; on this host for no more than there are
     * @throws IllegalArgumentException when it is out of this range
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder threadsPerWorker(int threads);

    /**
     * Says what each worker needs of its machine.
     *
     * @param needed default: what the first function needs that is submitted ({@link Meta}, {@link CallOptions#resources});
     *     nothing when the workers are started before. A function that needs something else is refused (FBR-480)
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder resources(Resources needed);

    /**
     * Lets the number of workers follow the queue: more are started while the tasks that wait would keep those that run busy
     * for a while (0.2 s each), and one that has had nothing to do for 10 s goes. The pool begins with as many as it was
     * made with.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder adaptive(int min, int max);

    /**
     * Lets the number of workers follow the queue, as {@link #adaptive(int, int)} does.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @param idle after how long without work a worker goes; above 0
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder adaptive(int min, int max, Duration idle);

    /**
     * Adds variables to the environment of each worker.
     *
     * @param variables copied; by default none. Not the place for secrets: other programs of the machine may see them
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder environment(Map<String, String> variables);

    /**
     * Gives what each worker runs before its first task, once for all of its threads; replacements of lost workers too.
     *
     * @param program when it throws, the start of the worker has failed; too many failed starts in a row end a pool of
     *     which no worker is ready with {@link PoolBrokenException}; while others are ready, no worker is started in place of
     *     the missing ones then, until {@link Pool#resize} asks for them. Default: nothing
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder initializer(RemoteRunnable program);

    /**
     * Replaces each worker by a new one after it has run this many tasks, on all of its threads together, for tasks that leak.
     *
     * @param tasks at least 1. Default: never
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder maxTasksPerChild(int tasks);

    /**
     * Fixes how many tasks travel to a worker together.
     *
     * @param tasks at least 1. Default: adapts to the time that tasks take
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder chunkSize(int tasks);

    /**
     * Says how often a task that had begun on a worker which was lost is run again. A task that runs again should be
     * idempotent; with 0 no task runs twice. A task that throws is not run again by this: see {@link #retryFailed}.
     *
     * @param times 0 or more. Default: the setting {@code retries}, which is 2 when nothing is set
     * @throws IllegalArgumentException when it is negative
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder retries(int times);

    /**
     * Says how tasks that throw are tried again; {@link CallOptions#retryFailed} of a call comes before it.
     *
     * @param how default: not at all
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder retryFailed(Retry how);

    /**
     * Sets the listener that is told how far calls of many tasks have come; {@link CallOptions#progress} of a call
     * comes before it.
     *
     * @param listener default: none
     * @throws IllegalStateException when it was set before
     */
    PoolBuilder progress(ProgressListener listener);

    /**
     * Makes the pool and starts its workers. Does not wait for them: see {@link Pool#waitUntilWorkersUp()}.
     *
     * @throws IllegalStateException when this builder has made a pool before, or the session is closed
     */
    Pool start();

    /**
     * Makes the pool; its workers start with the first task.
     *
     * @throws IllegalStateException when this builder has made a pool before, or the session is closed
     */
    Pool build();

    /**
     * Returns what the pool would submit for its workers, with the choices made so far: the script of a cluster's job, for
     * example, or a command line. For a person who reads it; it holds no secrets. Starts nothing, and the builder can be used
     * further. May read the files of the class path; asks the platform nothing.
     *
     * <p>Resources are those of {@link #resources}: what a function will need by {@link Meta} is not known yet.
     *
     * @return empty when the backend shows nothing, and in a worker, whose master submits its jobs
     * @throws BackendException what the start would be refused with, as far as it is known without the platform
     * @throws IllegalStateException when the session is closed
     */
    Optional<String> preview();
}
