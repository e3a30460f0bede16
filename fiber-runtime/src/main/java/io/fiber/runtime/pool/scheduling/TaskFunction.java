// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;
import java.util.concurrent.atomic.AtomicInteger;

/** A function that calls run on their items, and what has been measured of it. Belongs to the conductor, its claims excepted. */
public final class TaskFunction {

    /** What was measured before counts as at most so many times what is measured now. */
    private static final double GREATEST_PAST = 3;

    private final int id;
    private final SealedPayload payload;
    private final AtomicInteger claims = new AtomicInteger();
    private boolean measured;
    private double taskNs;
    /** How many items {@link #taskNs} counts as the mean of. */
    private double past;

    int largestChunk = 1;
    /** How many items a chunk had last, or would have had. */
    private volatile int chunkItems = 1;

    public TaskFunction(int id, SealedPayload payload) {
        this.id = id;
        this.payload = payload;
    }

    /** Returns its number, unique in its pool. */
    public int id() {
        return id;
    }

    /** Returns it as it travels. */
    public SealedPayload payload() {
        return payload;
    }

    /** Claims it for a call that is about to be made. Any thread may do so. */
    public void claim() {
        claims.incrementAndGet();
    }

    void release() {
        claims.decrementAndGet();
    }

    /** Tells whether a call that has not ended names it, or is about to. */
    public boolean isInUse() {
        return claims.get() > 0;
    }

    /**
     * Takes the time that {@code items} took together. One item that loaded the task's classes must not outweigh the
     * thousands that follow: each answer counts by its items, and at least a fourth.
     */
    void measured(long busyNs, int items) {
        double each = (double) busyNs / items;
        past = Math.min(past, GREATEST_PAST * items);
        taskNs += (each - taskNs) * items / (past + items);
        past += items;
        measured = true;
        largestChunk = Math.max(largestChunk, items);
    }

    boolean isMeasured() {
        return measured;
    }

    /** Returns the mean time of an item in nanoseconds, the newest weighing most; at least 1. */
    double taskNs() {
        return Math.max(taskNs, 1);
    }

    void plan(int items) {
        if (items != chunkItems) {
            chunkItems = items;
        }
    }

    /** Returns how many items a chunk should have, as far as that is known. Any thread may ask. */
    int plannedItems() {
        return chunkItems;
    }
}
