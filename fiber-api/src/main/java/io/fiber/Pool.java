// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A set of worker processes that run tasks. Workers start with the first task, or at once with {@link
 * PoolBuilder#start()}. If a worker is lost, the pool replaces it and runs its tasks again. You can change the number
 * of workers with {@link #resize}, or let it follow the queue with {@link PoolBuilder#adaptive(int, int)}.
 *
 * <p>A task {@linkplain TaskRunner may run more than once}.
 *
 * <p>End the pool with {@link #close()}, which waits for submitted tasks, or {@link #shutdownNow()}, which does not.
 * Thread-safe.
 */
public interface Pool extends TaskRunner, AutoCloseable {

    /**
     * Returns a runner that runs tasks in this pool with other options. You need not close it.
     *
     * @param options these override the options of the pool
     */
    TaskRunner with(CallOptions options);

    /**
     * Starts the workers if necessary and waits until all of them are ready at the same time, that is, connected and
     * initialized.
     *
     * @throws PoolBrokenException if too many workers failed to start and none is up
     * @throws WorkersMissingException if too many workers failed to start and others are up; the pool continues with
     *     those
     * @throws PoolClosedException if the pool accepts no more tasks
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    void awaitReady();

    /**
     * Starts the workers if necessary and waits, as {@link #awaitReady()} does, until all of them are ready or the time
     * has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether all workers are ready
     * @throws PoolBrokenException if too many workers failed to start and none is up
     * @throws WorkersMissingException if too many workers failed to start and others are up; the pool continues with
     *     those
     * @throws PoolClosedException if the pool accepts no more tasks
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    boolean awaitReady(Duration timeout);

    /**
     * Changes the number of workers. Missing workers are started, unless the pool has not yet started any. Surplus
     * workers return the tasks they have not started, finish the others and end. An adaptive pool keeps this number
     * from then on. Returns at once. Thread-safe.
     *
     * @param workers at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code workers} is less than 1
     */
    void resize(int workers);

    /** Rejects new tasks and finishes submitted ones; then the workers end. Returns at once. Idempotent. */
    void shutdown();

    /**
     * Waits until the pool is {@link PoolState#TERMINATED} or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether the pool is terminated
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    boolean awaitTermination(Duration timeout);

    /**
     * Ends the workers without waiting for their tasks. Pending tasks fail with {@link
     * java.util.concurrent.CancellationException}. Unlike the method of an executor, this one blocks, for a bounded
     * time. If the thread is interrupted, it stays interrupted and this method does not block. Idempotent.
     */
    void shutdownNow();

    /**
     * Rejects new tasks and waits until submitted tasks are done and the workers have ended. Blocks as long as that
     * takes. Idempotent.
     *
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the pool is terminated then
     */
    @Override
    void close();

    /** Returns the state of the pool. */
    PoolState state();

    /** Returns the name. */
    String name();

    /** Returns the intended number of workers, which {@link #resize} and adaptive pools change. */
    int workers();

    /** Returns what the pool has counted so far. */
    PoolStatistics statistics();

    /**
     * Returns what the pool does now: its workers, what each of them runs, and how many tasks wait. Does not wait for
     * workers: their figures of memory and processor time are those they reported when this was last called. If the
     * session is closed, there are no workers and no tasks.
     */
    PoolActivity activity();

    /**
     * Returns the last lines that each worker wrote, standard output and standard error together, by the worker's name.
     * The map includes live workers and those that ended last. It is empty if the session is closed. May ask the
     * platform and wait for its answers. Lines that have not reached the platform yet may be missing.
     *
     * @param lastLines maximum number of lines of each worker; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code lastLines} is less than 1
     * @throws UnsupportedOperationException if the backend does not keep the output of its jobs
     * @throws FiberException if the platform does not answer; the cause is the backend's exception
     */
    Map<String, List<String>> logs(int lastLines);
}
