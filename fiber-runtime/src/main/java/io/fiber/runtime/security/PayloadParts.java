// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.nio.ByteBuffer;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.spec.GCMParameterSpec;

/**
 * The parts of one payload, and what authenticates each: its position, whether it is the last, and the length of the
 * whole. A part that was moved, left out or taken from another payload does not open. Not thread-safe.
 */
final class PayloadParts {

    /**
     * The number of plain bytes in all parts except the last. It is small, because the JDK's cipher becomes fast only
     * after some thousand calls. With parts of 1 MiB the first 250 MiB of a process take 14 ms each; with parts of 8
     * KiB only the first 25, and afterwards they cost a tenth more.
     */
    static final int PLAIN_BYTES = 8 << 10;

    /** How many parts a segment has: 1 MiB of plain bytes. */
    static final int PARTS_OF_SEGMENT = 128;

    static final int TAG_BYTES = 16;
    static final int SEALED_BYTES = PLAIN_BYTES + TAG_BYTES;

    private static final int NONCE_BYTES = Integer.BYTES + Long.BYTES;
    private static final int BOUND_BYTES = Long.BYTES + Integer.BYTES + 1;

    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    private final ByteBuffer bound = ByteBuffer.allocate(BOUND_BYTES);
    private final long firstCounter;
    private final long plainBytes;
    private final int count;

    PayloadParts(int sealer, long firstCounter, long plainBytes) {
        this.firstCounter = firstCounter;
        this.plainBytes = plainBytes;
        this.count = count(plainBytes);
        nonce.putInt(0, sealer);
        bound.putLong(0, plainBytes);
    }

    /** Returns how many parts a payload has; an empty one has one part, which proves that it is empty. */
    static int count(long plainBytes) {
        return (int) Math.max(1, (plainBytes + PLAIN_BYTES - 1) / PLAIN_BYTES);
    }

    int count() {
        return count;
    }

    int plainBytes(int index) {
        return plainBytes(index, index + 1);
    }

    /** Returns how many plain bytes the parts from {@code first} (inclusive) to {@code end} (exclusive) have. */
    int plainBytes(int first, int end) {
        return (int) Math.min((long) (end - first) * PLAIN_BYTES, plainBytes - (long) first * PLAIN_BYTES);
    }

    /** Returns the part after the last one of the segment that begins with part {@code first}. */
    int endOfSegment(int first) {
        return Math.min(count, first + PARTS_OF_SEGMENT);
    }

    AlgorithmParameterSpec nonce(int index) {
        nonce.putLong(Integer.BYTES, firstCounter + index);
        return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array());
    }

    /** Returns what is authenticated with the part; valid until the next call. */
    byte[] bound(int index) {
        bound.putInt(Long.BYTES, index).put(BOUND_BYTES - 1, (byte) (index == count - 1 ? 1 : 0));
        return bound.array();
    }
}
