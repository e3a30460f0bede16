// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.FrameHandler;
import java.nio.ByteBuffer;

/**
 * Frames in transit in one direction: a bounded ring of bytes between one writing and one reading thread. Allocates
 * nothing after its creation.
 */
final class FrameRing {

    private static final int HEADER_BYTES = 16;
    private static final int DUE_OFFSET = 8;
    private static final int PADDING = -1;

    private final int capacityBytes;
    private final ByteBuffer bytes;
    private long head;
    private long tail;

    FrameRing(int capacityBytes) {
        this.capacityBytes = capacityBytes;
        this.bytes = ByteBuffer.allocateDirect(capacityBytes);
    }

    private static int recordBytes(int length) {
        return HEADER_BYTES + ((length + 7) & ~7);
    }

    /** Copies the frame into the ring, to be read from {@code dueNs} on; false if there is no room. */
    synchronized boolean write(ByteBuffer frame, long dueNs) {
        int length = frame.remaining();
        int record = recordBytes(length);
        int at = (int) (tail % capacityBytes);
        int toEnd = capacityBytes - at;
        int skipped = record <= toEnd ? 0 : toEnd;
        if (capacityBytes - (tail - head) < skipped + record) {
            return false;
        }
        if (skipped > 0) {
            bytes.putInt(at, PADDING);
            at = 0;
        }
        bytes.putInt(at, length);
        bytes.putLong(at + DUE_OFFSET, dueNs);
        bytes.put(at + HEADER_BYTES, frame, frame.position(), length);
        tail += skipped + record;
        return true;
    }

    /** Passes on at most {@code frameLimit} frames that are due, without holding the lock. */
    int read(FrameHandler handler, int frameLimit, long nowNs) {
        int count = 0;
        while (count < frameLimit && isDue(nowNs)) {
            int at = (int) (head % capacityBytes);
            int length = bytes.getInt(at);
            try {
                handler.onFrame(bytes, at + HEADER_BYTES, length);
            } finally {
                release(length);
            }
            count++;
        }
        return count;
    }

    /** Returns whether nothing waits to be read. */
    synchronized boolean isEmpty() {
        return head == tail;
    }

    private synchronized boolean isDue(long nowNs) {
        if (head == tail) {
            return false;
        }
        int at = (int) (head % capacityBytes);
        if (bytes.getInt(at) == PADDING) {
            head += capacityBytes - at;
            at = 0;
        }
        return bytes.getLong(at + DUE_OFFSET) - nowNs <= 0;
    }

    private synchronized void release(int length) {
        head += recordBytes(length);
    }
}
