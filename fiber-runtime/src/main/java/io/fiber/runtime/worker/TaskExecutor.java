// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages.Running;
import org.jspecify.annotations.Nullable;

/**
 * Takes work from a worker's conductor and returns the reports of the threads that run the tasks. Called only by the
 * conductor. Nothing blocks.
 */
public interface TaskExecutor {

    /** Hands over work; returns false if the master sent more than allowed. */
    boolean offer(Work item);

    /** Returns the next report without removing it; null if there is none. */
    @Nullable
    Report peek();

    /** Removes the report that {@link #peek} returned. */
    void taken();

    /** Allows the announced item of a chunk to start. */
    void granted(Work.Chunk chunk, int item);

    /** Gives up a chunk: items that have not started will not start. */
    void cancel(Work.Chunk chunk, Running running);

    /**
     * Interrupts an item that exceeds its deadline.
     *
     * @return the chunk whose item was interrupted longer ago than the grace and runs on; null if there is none, or it
     *     was returned before
     */
    Work.@Nullable Chunk stuck(long nowNs, long graceNs);
}
