// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A set of worker processes that run tasks. Workers start with the first task, or at once by {@link PoolBuilder#start()};
 * one that is lost is replaced, and what it had is run again. How many there are can be changed ({@link #resize}), or follow
 * the queue ({@link PoolBuilder#adaptive(int, int)}).
 *
 * <p>A task {@linkplain TaskRunner may run more than once}.
 *
 * <p>Thread-safe. Ends by {@link #close()}, which waits for what was submitted, or {@link #terminate()}, which does not.
 */
public interface Pool extends TaskRunner, AutoCloseable {

    /**
     * Returns a runner of tasks in this pool whose calls have other options. It has no life of its own.
     *
     * @param options what they say comes before what the pool was made with
     */
    TaskRunner with(CallOptions options);

    /**
     * Starts the workers if they were not, and waits until as many workers are up at one time as the pool should have:
     * connected, and through the initializer.
     *
     * @throws PoolBrokenException when too many failed to start and none is up
     * @throws WorkersMissingException when too many failed to start and others are up; the pool goes on with these
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    void awaitReady();

    /**
     * Starts the workers if they were not, and waits as {@link #awaitReady()} does, or until the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether all are up
     * @throws PoolBrokenException when too many failed to start and none is up
     * @throws WorkersMissingException when too many failed to start and others are up; the pool goes on with these
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    boolean awaitReady(Duration timeout);

    /**
     * Changes how many workers the pool has. Missing ones are started, as soon as the pool has any; those that are too many
     * hand back what they have not begun, finish what they have, and end. An adaptive pool keeps this number from then on.
     * Returns at once; thread-safe.
     *
     * @param workers at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    void resize(int workers);

    /**
     * Takes no more tasks and finishes those that were submitted; then the workers end. Returns at once. May be called
     * twice and in any state.
     */
    void shutdown();

    /**
     * Waits until the pool is {@link PoolState#TERMINATED}, or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether it is
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    boolean awaitTermination(Duration timeout);

    /**
     * Ends the workers without waiting for their tasks; what is pending fails with
     * {@link java.util.concurrent.CancellationException}. Blocks for a bounded time, and on an interrupted
     * thread, which stays interrupted, not at all. May be called twice and in any state.
     */
    void terminate();

    /**
     * Takes no more tasks, waits until those that were submitted are done and the workers have ended. Blocks as long as
     * that takes. May be called twice and in any state.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the pool is terminated then
     */
    @Override
    void close();

    /** Returns where the pool stands. */
    PoolState state();

    /** Returns the name. */
    String name();

    /** Returns how many workers the pool has when all are up; changes by {@link #resize} and in an adaptive pool. */
    int workers();

    /** Returns what was counted until now. */
    PoolStatistics statistics();

    /**
     * Returns what the pool does now: its workers, what each of them has, and how many tasks wait. Waits for no worker: what they
     * use of their hosts they said when this was called before. Without
     * workers and tasks when the session is closed.
     */
    PoolActivity activity();

    /**
     * Returns what each worker wrote last, standard output and standard error together, by the worker's name: those that
     * live, and the last ones that have ended. May ask the platform, and waits for its answers; what the platform has not
     * yet got may be missing. Empty when the session is closed.
     *
     * @param lastLines at most so many lines of each; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     * @throws UnsupportedOperationException when the backend does not keep what its jobs write
     * @throws io.fiber.spi.backend.BackendUnavailableException when the platform does not answer
     */
    Map<String, List<String>> logs(int lastLines);
}
