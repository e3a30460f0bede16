// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import org.jspecify.annotations.Nullable;

/**
 * The task threads that may be given a chunk: idle ones before busy ones, each in turn. A thread stands in it at most once.
 * Belongs to the conductor.
 */
final class WorkerQueue {

    final LinkedQueue<TaskSlot> idle = new LinkedQueue<>();
    final LinkedQueue<TaskSlot> busy = new LinkedQueue<>();

    void add(TaskSlot slot) {
        if (!slot.isQueued()) {
            (slot.isIdle() ? idle : busy).add(slot);
        }
    }

    /** Takes a worker's threads out, all of which are idle; null when there is no such worker. */
    @Nullable
    WorkerSlot pollIdleWorker() {
        TaskSlot found = idle.first(slot -> slot.worker.isIdle());
        if (found == null) {
            return null;
        }
        found.worker.leaveQueue();
        return found.worker;
    }

    /** Takes the next thread out, an idle one if there is one; null when there is none. */
    @Nullable
    TaskSlot poll() {
        TaskSlot slot = idle.poll();
        return slot == null ? busy.poll() : slot;
    }

    int idle() {
        return idle.size();
    }
}
