// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Whether the heap has room for more of a payload that is being written. Values may be endless, such as a lazy list
 * that creates its elements when they are read. Then objects, the stream's table of objects and bytes fill the heap
 * until no thread of the process can work. Thread-safe.
 *
 * @param heapBytes the maximum heap size
 * @param usedBytes how much of the heap is in use, including garbage
 * @param hasRoom returns whether this many bytes are available, by allocating them for a moment
 */
record HeapRoom(long heapBytes, LongSupplier usedBytes, LongPredicate hasRoom) {

    /** For payloads with a known length that was admitted. */
    static final HeapRoom ANY = new HeapRoom(Long.MAX_VALUE, () -> 0, bytes -> true);

    static final HeapRoom OF_PROCESS = new HeapRoom(
            Runtime.getRuntime().maxMemory(),
            () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
            HeapRoom::isAvailable);

    /** If more than this part of the heap is free, including garbage, there is no need to try. */
    private static final long FREE_PART = 8;

    /** The part of the heap that is left to the rest of the process. */
    private static final long RESERVED_PART = 16;

    /**
     * Below this part of the heap, at most 8 MiB, bytes are not worth a look. Each may stand for some 50 bytes of
     * objects.
     */
    private static final long UNWATCHED_PART = 256;

    private static final long MOST_UNWATCHED_BYTES = 8L << 20;

    /** Payloads grow by this part between two looks. The attached objects fit into the reserved part. */
    private static final long STEP_PART = 16;

    /** Returns the length at which a payload is checked first. */
    long firstLookBytes() {
        return Math.min(heapBytes / UNWATCHED_PART, MOST_UNWATCHED_BYTES);
    }

    /** Returns the length at which a payload of this length is checked next. */
    long nextLookBytes(long lengthBytes) {
        return lengthBytes + lengthBytes / STEP_PART;
    }

    /** Returns whether the heap is almost full, even without garbage. */
    boolean isShort() {
        return heapBytes - usedBytes.getAsLong() < heapBytes / FREE_PART && !hasRoom.test(heapBytes / RESERVED_PART);
    }

    /**
     * Returns whether this many bytes can be allocated. A JVM collects garbage before it reports that there is no room,
     * with any collector and options. Leaving an endless value to {@code OutOfMemoryError} killed other threads first.
     * The parts are small, because large arrays stay where they are and need room in one piece.
     */
    private static boolean isAvailable(long bytes) {
        byte[][] taken = new byte[1 + (int) (bytes / Payload.GREATEST_SEGMENT_BYTES)][];
        try {
            long takenBytes = 0;
            for (int i = 0; i < taken.length; i++) {
                taken[i] = new byte[Payload.GREATEST_SEGMENT_BYTES];
                takenBytes += taken[i].length;
            }
            return takenBytes >= bytes;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }
}
