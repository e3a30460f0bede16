// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The workers that may be given a chunk: idle ones before busy ones, each in turn. A worker stands in it at most once.
 * Belongs to the conductor.
 */
final class WorkerQueue {

    private final ArrayDeque<WorkerSlot> idle = new ArrayDeque<>();
    private final ArrayDeque<WorkerSlot> busy = new ArrayDeque<>();

    void add(WorkerSlot worker) {
        if (!worker.queued) {
            worker.queued = true;
            (worker.isIdle() ? idle : busy).add(worker);
        }
    }

    /** Takes an idle worker out; null when there is none. */
    @Nullable
    WorkerSlot pollIdle() {
        WorkerSlot worker = idle.poll();
        if (worker != null) {
            worker.queued = false;
        }
        return worker;
    }

    /** Takes the next worker out, an idle one if there is one; null when there is none. */
    @Nullable
    WorkerSlot poll() {
        WorkerSlot worker = pollIdle();
        if (worker == null) {
            worker = busy.poll();
            if (worker != null) {
                worker.queued = false;
            }
        }
        return worker;
    }

    void remove(WorkerSlot worker) {
        if (worker.queued) {
            worker.queued = false;
            idle.remove(worker);
            busy.remove(worker);
        }
    }
}
