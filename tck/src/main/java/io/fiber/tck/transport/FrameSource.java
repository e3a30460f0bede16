// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import java.nio.ByteBuffer;

/**
 * Creates frames whose lengths and bytes follow from a seed and their index, so that a receiver knows what to expect.
 * Allocates nothing while it works. Immutable and thread-safe.
 */
final class FrameSource {

    private static final int BIG_EVERY = 2_000;

    private final long seed;
    private final int usualLength;
    private final int greatestLength;

    /** Creates frames of 1 to {@code greatestLength} bytes. */
    FrameSource(long seed, int greatestLength) {
        this(seed, greatestLength, greatestLength);
    }

    /** Creates frames of 1 to {@code usualLength} bytes; one in 2000 has 1 to {@code greatestLength}. */
    FrameSource(long seed, int usualLength, int greatestLength) {
        this.seed = seed;
        this.usualLength = usualLength;
        this.greatestLength = greatestLength;
    }

    /** Returns a buffer for frames of up to {@code length} bytes. */
    static ByteBuffer allocate(int length) {
        return ByteBuffer.allocateDirect(length);
    }

    private static long mix(long value) {
        long z = value * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    int length(long index) {
        int greatest = index % BIG_EVERY == BIG_EVERY - 1 ? greatestLength : usualLength;
        return 1 + (int) Long.remainderUnsigned(mix(seed ^ mix(index)), greatest);
    }

    /** Writes frame {@code index} into {@code buffer} at 0 and sets position and limit around it. */
    void fill(ByteBuffer buffer, long index) {
        int length = length(index);
        long word = mix(seed + index);
        buffer.clear().limit(length);
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            buffer.putLong(at, word);
            word = word * 6364136223846793005L + 1442695040888963407L;
        }
        for (; at < length; at++) {
            buffer.put(at, (byte) (word >>> (8 * (at & 7))));
        }
    }

    /** Returns whether the bytes are those of frame {@code index}. */
    boolean matches(ByteBuffer buffer, int offset, int length, long index) {
        if (length != length(index)) {
            return false;
        }
        long word = mix(seed + index);
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (longAt(buffer, offset + at) != word) {
                return false;
            }
            word = word * 6364136223846793005L + 1442695040888963407L;
        }
        for (; at < length; at++) {
            if (buffer.get(offset + at) != (byte) (word >>> (8 * (at & 7)))) {
                return false;
            }
        }
        return true;
    }

    private static long longAt(ByteBuffer buffer, int index) {
        long value = buffer.getLong(index);
        return buffer.order() == java.nio.ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
