// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayDeque;

/** What the pool knows of one worker. Belongs to the conductor. */
final class WorkerSlot extends LinkedQueue.Element<WorkerSlot> {

    /** The shortest time is the way's own; longer ones are mostly a busy machine, and count little. */
    private static final double LONGER_SHARE = 0.05;

    /** A worker that is silent for so much longer than was expected is busy with something long. */
    private static final long LATE_NS = 2_000_000;

    enum State {
        STARTING,
        READY,
        /** Takes no new chunks; ends when those it has are done. */
        DRAINING
    }

    final int worker;
    /** Chunks in the order in which they were sent, which is the order in which they run. */
    final ArrayDeque<Chunk> held = new ArrayDeque<>();

    State state = State.STARTING;
    double heldNs;
    long heldBytes;
    int itemsGiven;
    /** Kept free so that a chunk that runs alone finds it idle. */
    boolean reserved;

    long readyNs;
    /** How the pool's starts stood before this one succeeded. */
    WorkerStarts.Standing startsBefore = WorkerStarts.Standing.NONE;

    /** Whether it had nothing to do when that was last looked at, and since when. */
    boolean idle;

    long idleSinceNs;
    /** When it was last heard of, or began to have something to do. */
    private long heardNs;

    private double roundTripNs;
    private int roundTrips;

    WorkerSlot(int worker) {
        this.worker = worker;
    }

    boolean isIdle() {
        return held.isEmpty();
    }

    boolean isAlone() {
        Chunk first = held.peek();
        return first != null && first.isAlone();
    }

    void give(Chunk chunk, long nowNs) {
        if (held.isEmpty()) {
            heardNs = nowNs;
            chunk.sentToIdleWorker(nowNs);
        }
        held.add(chunk);
        heldNs += chunk.expectedNs();
        heldBytes += chunk.parcel().length();
        itemsGiven += chunk.count();
    }

    void release(Chunk chunk) {
        if (held.peek() == chunk) {
            held.poll();
        } else {
            held.remove(chunk);
        }
        heldNs = held.isEmpty() ? 0 : heldNs - chunk.expectedNs();
        heldBytes -= chunk.parcel().length();
    }

    /** Notes that everything was taken from it. */
    void clear() {
        held.clear();
        heldNs = 0;
        heldBytes = 0;
    }

    /** Notes that a chunk that it holds has lost items. */
    void shortened(int items, double expectedNs) {
        itemsGiven -= items;
        heldNs -= expectedNs;
    }

    /**
     * Notes that it has answered; the first answer after it had nothing tells how long
     * the way is, except the very first: that one holds the loading of the task's classes.
     */
    void heard(Chunk chunk, long busyNs, long nowNs) {
        heardNs = nowNs;
        if (chunk.isFirstAnswerOfIdleWorker()) {
            double sample = Math.max(0, nowNs - chunk.sentNs() - busyNs);
            roundTrips++;
            if (roundTrips == 2 || sample < roundTripNs) {
                roundTripNs = sample;
            } else if (roundTrips > 2) {
                roundTripNs += LONGER_SHARE * (sample - roundTripNs);
            }
        }
    }

    /** Returns the time that a message there and the answer take; 0 when it is not known. */
    double roundTripNs() {
        return roundTripNs;
    }

    /** Tells whether it is busy with something that takes longer than was expected. */
    boolean isLate(long nowNs) {
        return !held.isEmpty() && nowNs - heardNs > LATE_NS + 2 * held.element().expectedNs();
    }

    /** Returns what it has to do; one that has been silent for long may well be so again for as long. */
    double leftNs(long nowNs) {
        return held.isEmpty() ? 0 : Math.max(heldNs, (double) (nowNs - heardNs));
    }
}
