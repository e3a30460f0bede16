// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.process.WorkerTitle;
import java.util.Optional;

/** What the pool's machine does to the world. Called by the conductor only; nothing blocks. */
public interface PoolEffects {

    /** Takes consecutive numbers for workers, which no other worker of the session has, and returns the first. */
    int takeNumbers(int count);

    /** Starts workers with consecutive numbers from {@code firstWorker} on. */
    void startWorkers(int firstWorker, int count);

    /** Returns what errors call a worker, and where it runs. */
    WorkerTitle title(int worker);

    /** Returns why a worker's job has not begun to run, in the platform's words. */
    Optional<String> waitsFor(int worker);

    /** Returns what a worker has said to use of its host, and asks it again; does not wait for the answer. */
    Optional<ProcessUsage> measure(int worker);

    /**
     * Sends a chunk to a worker, after the function that it names when the worker does not know it yet. Returns false when
     * the way to the worker is full; the chunk is offered again in a later cycle.
     */
    boolean assign(int worker, Chunk chunk);

    /** Tells that a chunk is at its worker no more: it is done or cancelled, or its rest was taken back. */
    void released(Chunk chunk);

    /** Tells that a chunk was at a worker that is lost. */
    void lost(Chunk chunk);

    /** Tells a worker that the call no longer waits for a chunk. */
    void cancel(int worker, Chunk chunk);

    /** Tells a worker that the item which it has announced counts as begun, and may begin. */
    void grant(int worker, Chunk chunk, int item);

    /** Asks a worker for what it has not begun of a chunk; it answers unless the chunk has ended. */
    void recall(int worker, Chunk chunk);

    /** Tells a worker to end when it has done what it was assigned. */
    void drain(int worker);

    /** Tells of a worker that was lost: this many of its items are sent to other workers, and this many fail. */
    void lost(Loss loss, long itemsAgain, long itemsFailed, long nowNs);

    /** Tells of each start that fails, once a row of them is too long; the pool goes on with those that are up. */
    void shortOfWorkers(WorkersMissingException shortage, int failedStarts);

    /** Ends a worker by force. */
    void kill(int worker);

    /** Tells that no worker is left and none will be started; {@code cause} when the pool ended by a fault. */
    void terminated(Optional<FiberException> cause);
}
