// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages.Running;
import org.jspecify.annotations.Nullable;

/**
 * Takes work from a worker's conductor and gives it the reports of the threads that run the tasks. Called by the
 * conductor only, {@link #isBusy} excepted; nothing blocks.
 */
public interface TaskExecutor {

    /** Hands work over; returns false when the master sent more than it may. */
    boolean offer(Work item);

    /** Returns the next report without taking it; null when there is none. */
    @Nullable
    ResultBatch peek();

    /** Takes the report that {@link #peek} returned. */
    void taken();

    /** The item of a chunk that was announced may begin. */
    void granted(Work.Items chunk, int item);

    /** Gives a chunk up: what has not begun will not. */
    void cancel(Work.Items chunk, Running running);

    /**
     * Interrupts an item that is over its deadline.
     *
     * @return the chunk whose item was interrupted longer ago than the grace and runs on; null when there is none, or it
     *     was returned before
     */
    Work.@Nullable Items stuck(long nowNs, long graceNs);

    /** Tells whether each of its threads runs a task now, so that another must look after the conductor. For any thread. */
    boolean isBusy();
}
