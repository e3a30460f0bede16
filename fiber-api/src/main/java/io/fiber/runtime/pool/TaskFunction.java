// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.wire.Parcel;

/** A function that calls run on their items, and what has been measured of it. Belongs to the conductor. */
public final class TaskFunction {

    private static final double NEWEST_SHARE = 0.25;

    private final int id;
    private final Parcel parcel;
    private boolean measured;
    private double taskNs;
    private int largestChunk = 1;
    private int openCalls;

    /** Creates a function that the wire names by {@code id}. */
    public TaskFunction(int id, Parcel parcel) {
        this.id = id;
        this.parcel = parcel;
    }

    /** Returns its id on the wire. */
    public int id() {
        return id;
    }

    /** Returns the serialized function. */
    public Parcel parcel() {
        return parcel;
    }

    void callOpened() {
        openCalls++;
    }

    void callEnded() {
        openCalls--;
    }

    /** Tells whether a call that has not ended names it. */
    boolean isInUse() {
        return openCalls > 0;
    }

    /** Takes the time that {@code items} took together. */
    void measured(long busyNs, int items) {
        double each = (double) busyNs / items;
        taskNs = measured ? taskNs + NEWEST_SHARE * (each - taskNs) : each;
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

    int largestChunk() {
        return largestChunk;
    }
}
