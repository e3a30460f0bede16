// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the headers and bodies of a frame. A frame is the length of the headers (unsigned, two bytes, little
 * endian), the headers, and the bodies. Bodies are written where they are sent from, behind a gap into which the headers
 * of most frames fit. Until a payload fills frames, they are small. Belongs to one thread.
 */
final class FrameWriter {

    static final int PREFIX_BYTES = 2;
    private static final int GREATEST_HEADERS_BYTES = 0xFFFF;
    /** The headers of some twenty messages. If a frame has more, its bodies are small and are moved. */
    private static final int GAP_BYTES = 2048;
    /** Small, because a master may have a thousand of these; larger frames make no difference to small messages. */
    private static final int FIRST_CAPACITY = 16 << 10;

    private final int maxFrameLength;
    private ByteBuffer frame;
    /** A view of the same memory that needs half as many calls as a buffer of the JDK. */
    private final UnsafeBuffer written = new UnsafeBuffer(0, 0);

    private final byte[] headerBytes;
    private final UnsafeBuffer headers;
    private int capacity;
    private @Nullable HeaderSeal seal;
    private int overhead;
    private int headersLength;
    private int bodiesLength;

    FrameWriter(int maxFrameLength) {
        this.maxFrameLength = maxFrameLength;
        capacity = Math.min(maxFrameLength, FIRST_CAPACITY);
        frame = newFrame();
        headerBytes = new byte[Math.min(maxFrameLength, Math.min(FIRST_CAPACITY, GREATEST_HEADERS_BYTES))];
        headers = new UnsafeBuffer(headerBytes);
    }

    private ByteBuffer newFrame() {
        ByteBuffer made = ByteBuffer.allocateDirect(GAP_BYTES + capacity);
        written.wrap(made);
        return made;
    }

    /** Makes frames as long as the link allows if a payload of this length fills smaller ones. Its frame must be empty and sent. */
    void growFor(long payloadLength) {
        if (payloadLength > capacity && capacity < maxFrameLength) {
            int smaller = capacity;
            capacity = maxFrameLength;
            try {
                frame = newFrame();
            } catch (OutOfMemoryError e) {
                capacity = smaller;
            }
        }
    }

    /** Seals every frame from now on; the current frame must be empty. */
    void sealWith(HeaderSeal newSeal) {
        seal = newSeal;
        overhead = newSeal.overheadBytes();
    }

    boolean isEmpty() {
        return headersLength == 0;
    }

    /** Returns how many bytes of bodies still fit behind a further header of this length; negative if it does not fit. */
    int roomBehind(int headerLength) {
        int headersEnd = headersLength + headerLength + overhead;
        return headersEnd > headerBytes.length ? -1 : capacity - PREFIX_BYTES - headersEnd - bodiesLength;
    }

    /** Returns the place for the next message. */
    UnsafeBuffer headers() {
        return headers;
    }

    int headersLength() {
        return headersLength;
    }

    void headerWritten(int length) {
        headersLength += length;
    }

    /** Adds the next {@code length} bytes of a payload, which must exist. */
    void writeBody(PayloadInput input, int length) {
        int start = GAP_BYTES + bodiesLength;
        input.readInto(frame.limit(start + length).position(start));
        bodiesLength += length;
    }

    /** Returns the finished frame, which can be offered repeatedly; null if the seal's key is used up. */
    @Nullable
    ByteBuffer finish() {
        int length = headersLength;
        if (seal != null) {
            if (!seal.seal(headerBytes, 0, headersLength)) {
                return null;
            }
            length += overhead;
        }
        int start = Math.max(0, GAP_BYTES - PREFIX_BYTES - length);
        int bodiesStart = start + PREFIX_BYTES + length;
        if (bodiesStart > GAP_BYTES) {
            written.putBytes(bodiesStart, written, GAP_BYTES, bodiesLength);
        }
        written.putShort(start, (short) length, ByteOrder.LITTLE_ENDIAN);
        written.putBytes(start + PREFIX_BYTES, headerBytes, 0, length);
        frame.limit(bodiesStart + bodiesLength).position(start);
        headersLength = 0;
        bodiesLength = 0;
        return frame;
    }
}
