// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Joins the parts of a payload. If the heap has no room for it, alone or beside others, it is read to its end and not
 * kept; its receiver continues and reports the error. Belongs to one thread.
 */
public final class PayloadJoiner {

    private static final long GREATEST_ARRAY_BYTES = Integer.MAX_VALUE - 8L;

    private final long length;
    private final HeapShare heap;
    private final long besideBytes;
    private long missing;
    /** How many bytes are missing when the array that arrives is complete. */
    private long missingBehindArray = Long.MAX_VALUE;
    /** The bytes that have arrived; null if nothing is kept. */
    private @Nullable PayloadOutput out;

    /** Creates a joiner of a payload of this length, which takes its memory from {@code heap}. */
    public PayloadJoiner(long length, HeapShare heap) {
        this.length = length;
        this.heap = heap;
        boolean isKept = heap.take(length);
        besideBytes = isKept ? 0 : heap.besideBytes(length);
        missing = length;
        out = isKept ? PayloadOutput.ofAnnounced(length) : null;
    }

    /** Returns how many bytes have not arrived. */
    public long missing() {
        return missing;
    }

    void append(DirectBuffer source, int offset, int count) {
        if (out != null) {
            try {
                out.write(source, offset, count);
            } catch (OutOfMemoryError e) {
                drop();
            }
        }
        missing -= count;
    }

    /** Returns whether the next {@code count} bytes can be those of an array that is kept in one piece. */
    boolean canBeginArray(long count) {
        boolean isInArray = missingBehindArray < missing;
        return count > Payload.GREATEST_SEGMENT_BYTES && count <= Math.min(missing, GREATEST_ARRAY_BYTES) && !isInArray;
    }

    /** The next {@code count} bytes are those of an array. */
    void beginArray(int count) {
        missingBehindArray = missing - count;
        if (out != null) {
            try {
                out.beginArray(count);
            } catch (OutOfMemoryError e) {
                drop();
            }
        }
    }

    /** Takes the bytes of a buffer from its position to its limit, at most as many as are {@link #missing}. */
    public void append(ByteBuffer source) {
        int count = source.remaining();
        if (out != null) {
            try {
                out.write(source);
            } catch (OutOfMemoryError e) {
                drop();
            }
        }
        missing -= count;
    }

    /** Drops the payload. */
    void drop() {
        if (out != null) {
            out = null;
            heap.giveBack(length);
        }
    }

    /** Returns the payload, or a placeholder if it was not kept. */
    public Payload toPayload() {
        if (out == null) {
            return Payload.refused(length, besideBytes);
        }
        Payload payload = out.toPayload();
        heap.hold(payload);
        return payload;
    }
}
