// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import java.time.Duration;
import java.util.Optional;

/**
 * Sets the options of a {@link Pool} and creates it with {@link #start()} or {@link #build()}. {@link
 * Fiber#poolBuilder} creates the builder.
 *
 * <p>If you do not set {@link #resources}, workers get what the first submitted function needs ({@link Needs}, {@link
 * CallOptions#resources}). A later function with other needs is rejected (FBR-480). Workers that {@link #start()} or
 * {@link Pool#awaitReady()} starts before there is a function get the backend's default. A function that declares needs
 * is then rejected (FBR-480). To avoid this, set {@link #resources} to the same value, or let the first task start the
 * workers.
 */
public interface PoolBuilder extends JobBuilder<PoolBuilder> {

    /**
     * Lets each worker run several tasks at a time, each on a thread of its own, so that one JVM serves a whole node
     * instead of one processor. Tasks of a worker share its memory and static state. If its JVM ends, all of them are
     * lost, and those that had started run again up to {@link CallOptions#maxReruns}.
     *
     * @param threads 1 to 1,024; 1 by default. If neither {@link #resources} nor {@link Needs} sets the number of
     *     processors, a worker requests one for each thread, on this host at most as many as there are
     * @throws IllegalArgumentException if {@code threads} is out of range
     */
    PoolBuilder threadsPerWorker(int threads);

    /**
     * Lets the number of workers follow the queue. More workers are started while the waiting tasks would keep each
     * running worker busy for 0.2 s. A worker that has been idle for 10 s ends. The pool starts with the number of
     * workers it was created with.
     *
     * @param min minimum number of workers; 0 or more
     * @param max maximum number of workers; at least 1
     * @throws IllegalArgumentException if this is not a range, or the pool's number is outside it
     */
    PoolBuilder adaptive(int min, int max);

    /**
     * Lets the number of workers follow the queue, as {@link #adaptive(int, int)} does, with an idle time of your
     * choice.
     *
     * @param min minimum number of workers; 0 or more
     * @param max maximum number of workers; at least 1
     * @param idle time without work after which a worker ends; greater than 0
     * @throws IllegalArgumentException if this is not a range, or the pool's number is outside it
     */
    PoolBuilder adaptive(int min, int max, Duration idle);

    /**
     * Sets what each worker runs before its first task, once for all of its threads. Replacements of lost workers run
     * it too.
     *
     * @param program if it throws, the start of the worker has failed. If too many starts in a row fail while no worker
     *     is ready, the pool ends with {@link PoolBrokenException}. If others are ready, the missing workers are not
     *     started again until {@link Pool#resize} asks for them. Nothing by default
     */
    PoolBuilder initializer(RemoteRunnable program);

    /**
     * Replaces each worker after this many tasks, counted over all of its threads. Use it for tasks that leak.
     *
     * @param tasks at least 1; never by default
     * @throws IllegalArgumentException if {@code tasks} is less than 1
     */
    PoolBuilder maxTasksPerWorker(int tasks);

    /**
     * Sets options for all calls of the pool, such as reruns, deadlines and the chunk size. Options of {@link
     * Pool#with} override them.
     *
     * <pre>{@code fiber.poolBuilder(64).callOptions(CallOptions.defaults().maxReruns(0).deadline(Duration.ofMinutes(5))).start(); }</pre>
     *
     * @param options none is set by default
     */
    PoolBuilder callOptions(CallOptions options);

    /**
     * Creates the pool and starts its workers, without waiting for them: see {@link Pool#awaitReady()}.
     *
     * @throws IllegalStateException (FBR-302) if the session is closed
     */
    Pool start();

    /**
     * Creates the pool. Its workers start with the first task.
     *
     * @throws IllegalStateException (FBR-302) if the session is closed
     */
    Pool build();

    /**
     * Returns what the pool would submit for its workers with the options set so far, for example the script of a
     * cluster's job or a command line. The text is for people to read and contains no secrets. It uses {@link
     * #resources}, because the {@link Needs} of later functions is not known yet. Starts nothing. May
     * read the files of the class path, but does not contact the platform.
     *
     * @return empty if the backend shows nothing, or in a worker, whose jobs its master submits
     * @throws FiberException the error with which the start would fail, as far as it is known without the platform
     * @throws IllegalStateException if the session is closed
     */
    Optional<String> preview();
}
