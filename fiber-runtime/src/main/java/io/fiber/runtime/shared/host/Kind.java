// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.runtime.shared.machines.QueueMachine;

/** The kinds of objects that a manager creates. */
public enum Kind {
    LIST,
    MAP,
    NAMESPACE,
    VALUE,
    ARRAY,
    QUEUE,
    JOINABLE_QUEUE,
    LOCK,
    REENTRANT_LOCK,
    CONDITION,
    SEMAPHORE,
    EVENT,
    BARRIER,
    BARRIER_WITH_ACTION,
    /** An object of the program behind an interface. */
    SHARED,
    /** An object of the program on which functions run. */
    ASYNC;

    /** The rest of the heap is for other queues, taken items, waiting writers and the program. */
    private static final int QUEUES_SHARE_OF_HEAP = 4;

    /** Returns an empty queue of up to this many items, in up to a quarter of the heap. */
    public static QueueMachine queue(long capacity) {
        return new QueueMachine(capacity, Runtime.getRuntime().maxMemory() / QUEUES_SHARE_OF_HEAP);
    }
}
