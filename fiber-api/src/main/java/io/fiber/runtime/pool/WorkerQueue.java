// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import org.jspecify.annotations.Nullable;

/**
 * The workers that may be given a chunk: idle ones before busy ones, each in turn. A worker stands in it at most once.
 * Belongs to the conductor.
 */
final class WorkerQueue {

    private final LinkedQueue<WorkerSlot> idle = new LinkedQueue<>();
    private final LinkedQueue<WorkerSlot> busy = new LinkedQueue<>();

    void add(WorkerSlot worker) {
        if (!worker.isQueued()) {
            (worker.isIdle() ? idle : busy).add(worker);
        }
    }

    /** Takes an idle worker out; null when there is none. */
    @Nullable
    WorkerSlot pollIdle() {
        return idle.poll();
    }

    /** Takes the next worker out, an idle one if there is one; null when there is none. */
    @Nullable
    WorkerSlot poll() {
        WorkerSlot worker = idle.poll();
        return worker == null ? busy.poll() : worker;
    }

    /** Returns how many of them are idle. */
    int idle() {
        return idle.size();
    }

    int size() {
        return idle.size() + busy.size();
    }
}
