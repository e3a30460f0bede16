// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.util.function.LongSupplier;

/**
 * Whether the heap has room for more of a payload that is being written. What is written may have no end, such as a lazy list
 * that makes its elements when they are read: then objects, the stream's table of objects and bytes fill the heap until no
 * thread of the process can work. Thread-safe.
 *
 * @param heapBytes the greatest size of the heap
 * @param usedBytes how much of it is in use, garbage included
 * @param collection frees garbage
 */
record HeapRoom(long heapBytes, LongSupplier usedBytes, Runnable collection) {

    /** For payloads whose length is known and was admitted. */
    static final HeapRoom ANY = new HeapRoom(Long.MAX_VALUE, () -> 0, () -> {});

    static final HeapRoom OF_PROCESS = new HeapRoom(
            Runtime.getRuntime().maxMemory(),
            () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
            System::gc);

    /** This part of the heap is left to the rest of the process. */
    private static final long RESERVED_PART = 8;

    /** Below this part of the heap, at most 8 MiB, bytes are not worth a look: each may stand for some 50 bytes of objects. */
    private static final long UNWATCHED_PART = 256;

    private static final long MOST_UNWATCHED_BYTES = 8L << 20;

    /** Between two looks, payloads grow by this part: what hangs on it fits into what is reserved. */
    private static final long STEP_PART = 16;

    /** Returns at which length a payload is looked at for the first time. */
    long firstLookBytes() {
        return Math.min(heapBytes / UNWATCHED_PART, MOST_UNWATCHED_BYTES);
    }

    /** Returns at which length a payload of this length is looked at again. */
    long nextLookBytes(long lengthBytes) {
        return lengthBytes + lengthBytes / STEP_PART;
    }

    /** Returns whether the heap is almost full, even without garbage. */
    boolean isShort() {
        if (isAlmostFull()) {
            collection.run();
            return isAlmostFull();
        }
        return false;
    }

    private boolean isAlmostFull() {
        return heapBytes - usedBytes.getAsLong() < heapBytes / RESERVED_PART;
    }
}
