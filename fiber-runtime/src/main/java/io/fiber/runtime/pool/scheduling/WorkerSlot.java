// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolActivity.State;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the pool knows of one worker: where it stands, and its task threads. Belongs to the conductor. */
final class WorkerSlot {

    final int number;
    /** Its task threads; one, unless the pool has more for each worker. */
    final List<TaskSlot> slots;

    /** One that leaves takes no new chunks; it ends when those it has are done. */
    State state = State.STARTING;
    /** Whether it has come up; it stays so while it finishes what it has. */
    boolean isUp;

    int itemsGiven;
    /** Kept free so that a chunk that runs alone finds it idle. */
    boolean reserved;

    long readyNs;
    /** How the pool's starts stood before this one succeeded. */
    WorkerStarts.Standing startsBefore = WorkerStarts.Standing.NONE;

    /** Whether it had nothing to do when that was last looked at, and since when. */
    boolean idle;

    long idleSinceNs;
    private int chunks;

    WorkerSlot(int number, int threads) {
        this.number = number;
        this.slots = IntStream.range(0, threads)
                .mapToObj(slot -> new TaskSlot(this, slot))
                .toList();
    }

    boolean isIdle() {
        return chunks == 0;
    }

    int chunks() {
        return chunks;
    }

    /** Returns how many of its threads have something to do. */
    int busyThreads() {
        int busy = 0;
        for (TaskSlot slot : slots) {
            busy += slot.isIdle() ? 0 : 1;
        }
        return busy;
    }

    /** Tells whether it runs one chunk that nothing may run beside. */
    boolean isAlone() {
        if (chunks != 1) {
            return false;
        }
        for (int i = 0; i < slots.size(); i++) {
            Chunk first = slots.get(i).held.peek();
            if (first != null) {
                return first.alone;
            }
        }
        return false;
    }

    /** Tells whether nothing that it has may have begun: all of it is announced, and no item or function was. */
    boolean hasBegunNothing() {
        for (TaskSlot slot : slots) {
            for (Chunk chunk : slot.held) {
                if (!chunk.announced || chunk.hasBegun()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the call whose function is being deserialized, if all that is here is its, and nothing else may have begun. */
    @Nullable
    Call onlyBeginsFunctionOf() {
        Call only = null;
        boolean begun = false;
        for (TaskSlot slot : slots) {
            for (Chunk chunk : slot.held) {
                if (only != null && only != chunk.call) {
                    return null;
                }
                only = chunk.call;
            }
            Chunk first = slot.held.peek();
            if (first != null && (!first.announced || first.hasBegun())) {
                if (!first.isFunctionBegun()) {
                    return null;
                }
                begun = true;
            }
        }
        return begun ? only : null;
    }

    /** None of its threads waits for a chunk any more. */
    void leaveQueue() {
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).leaveQueue();
        }
    }

    void clear() {
        slots.forEach(TaskSlot::clear);
        chunks = 0;
    }

    void given(int items) {
        chunks++;
        itemsGiven += items;
    }

    void released() {
        chunks--;
    }

    void takenBack(int items) {
        itemsGiven -= items;
    }
}
