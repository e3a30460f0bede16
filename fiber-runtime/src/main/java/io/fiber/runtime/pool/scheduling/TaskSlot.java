// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.ArrayDeque;

/** What the pool knows of one task thread of a worker. Belongs to the conductor. */
final class TaskSlot extends LinkedQueue.Element<TaskSlot> {

    /** The shortest time is the way's own; longer ones are mostly a busy machine, and count little. */
    private static final double LONGER_SHARE = 0.05;

    /** A thread that is silent for so much longer than was expected is busy with something long. */
    private static final long LATE_NS = 2_000_000;

    final WorkerSlot worker;
    /** Which of its worker's it is, from 0 on. */
    final int number;
    /** Chunks in the order in which they were sent, which is the order in which they run. */
    final ArrayDeque<Chunk> held = new ArrayDeque<>();

    double heldNs;
    long heldBytes;
    /** When it was last heard of, or began to have something to do. */
    private long heardNs;

    private double roundTripNs;
    private int roundTrips;

    TaskSlot(WorkerSlot worker, int number) {
        this.worker = worker;
        this.number = number;
    }

    boolean isIdle() {
        return held.isEmpty();
    }

    void give(Chunk chunk, long nowNs) {
        if (held.isEmpty()) {
            heardNs = nowNs;
            chunk.sentToIdleThread(nowNs);
        }
        held.add(chunk);
        heldNs += chunk.expectedNs;
        heldBytes += chunk.items().payload().length();
        worker.given(chunk.count());
    }

    void release(Chunk chunk) {
        if (held.peek() == chunk) {
            held.poll();
        } else {
            held.remove(chunk);
        }
        heldNs = held.isEmpty() ? 0 : heldNs - chunk.expectedNs;
        heldBytes -= chunk.items().payload().length();
        worker.released();
    }

    void clear() {
        held.clear();
        heldNs = 0;
        heldBytes = 0;
    }

    /** Notes that a chunk that it holds has lost items. */
    void shortened(int items, double expectedNs) {
        worker.takenBack(items);
        heldNs -= expectedNs;
    }

    /**
     * Notes that it has answered; the first answer after it had nothing tells how long
     * the way is, except the very first: that one holds the loading of the task's classes.
     */
    void heard(Chunk chunk, long busyNs, long nowNs) {
        heardNs = nowNs;
        if (chunk.isFirstAnswerOfIdleThread()) {
            double sample = Math.max(0, nowNs - chunk.sentNs - busyNs);
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
        return !held.isEmpty() && nowNs - heardNs > LATE_NS + 2 * held.element().expectedNs;
    }

    /** Returns what it has to do; one that has been silent for long may well be so again for as long. */
    double leftNs(long nowNs) {
        return held.isEmpty() ? 0 : Math.max(heldNs, (double) (nowNs - heardNs));
    }
}
