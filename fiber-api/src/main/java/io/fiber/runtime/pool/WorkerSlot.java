// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayDeque;

/** What the pool knows of one worker. Belongs to the conductor. */
final class WorkerSlot extends LinkedQueue.Element<WorkerSlot> {

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

    void give(Chunk chunk) {
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
}
