// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.backend.BackendException;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes a {@link Pool} with choices named; made by {@link Fiber#poolBuilder}. Ends with {@link #start()} or {@link #build()}.
 *
 * <p>When {@link #resources} are not said, workers get what the first function needs that is submitted ({@link Meta}, {@link
 * CallOptions#resources}); one that needs something else later is refused (FBR-480). Workers that are started before there is
 * a function, by {@link #start()} or {@link Pool#awaitReady()}, get the backend's default; a function that says what it
 * needs is refused then (FBR-480). Set {@link #resources} to the same value, or let the first task start the workers.
 */
public interface PoolBuilder extends JobBuilder<PoolBuilder> {

    /**
     * Lets each worker run several tasks at a time, each on a thread of its own: one JVM for a whole node instead of one for
     * each processor. Tasks of one worker share its memory and static state, and its fate: what ends its JVM ends them all, and
     * those that had begun run again as {@link CallOptions#maxReruns} says.
     *
     * @param threads 1 to 1,024. Default: 1. A worker for which neither {@link #resources} nor {@link Meta} says how
     *     many processors it needs asks for as many; on this host for no more than there are
     * @throws IllegalArgumentException when it is out of this range
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder threadsPerWorker(int threads);

    /**
     * Lets the number of workers follow the queue: more are started while the tasks that wait would keep those that run busy
     * for a while (0.2 s each), and one that has had nothing to do for 10 s goes. The pool begins with as many as it was
     * made with.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder adaptive(int min, int max);

    /**
     * Lets the number of workers follow the queue, as {@link #adaptive(int, int)} does.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @param idle after how long without work a worker goes; above 0
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder adaptive(int min, int max, Duration idle);

    /**
     * Gives what each worker runs before its first task, once for all of its threads; replacements of lost workers too.
     *
     * @param program when it throws, the start of the worker has failed; too many failed starts in a row end a pool of
     *     which no worker is ready with {@link PoolBrokenException}; while others are ready, no worker is started in place of
     *     the missing ones then, until {@link Pool#resize} asks for them. Default: nothing
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder initializer(RemoteRunnable program);

    /**
     * Replaces each worker by a new one after it has run this many tasks, on all of its threads together, for tasks that leak.
     *
     * @param tasks at least 1. Default: never
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder maxTasksPerWorker(int tasks);

    /**
     * Gives options for all calls of the pool: how often tasks run again, their deadline, the size of chunks. What
     * {@link Pool#with} says of a call comes before them.
     *
     * <pre>{@code fiber.poolBuilder(64).callOptions(CallOptions.defaults().maxReruns(0).deadline(Duration.ofMinutes(5))).start(); }</pre>
     *
     * @param options default: none is set
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    PoolBuilder callOptions(CallOptions options);

    /**
     * Makes the pool and starts its workers. Does not wait for them: see {@link Pool#awaitReady()}.
     *
     * @throws IllegalStateException (FBR-302) when the session is closed, (FBR-306) when this builder was used before
     */
    Pool start();

    /**
     * Makes the pool; its workers start with the first task.
     *
     * @throws IllegalStateException (FBR-302) when the session is closed, (FBR-306) when this builder was used before
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
