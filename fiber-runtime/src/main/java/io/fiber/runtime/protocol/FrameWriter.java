// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the headers and bodies of a frame. A frame is the length of the headers (unsigned, two bytes, little
 * endian), the headers, and the bodies. Belongs to one thread.
 */
final class FrameWriter {

    static final int PREFIX_BYTES = 2;
    private static final int GREATEST_HEADERS_BYTES = 0xFFFF;

    private final ByteBuffer frame;
    /** A view of the same memory that needs half as many calls as a buffer of the JDK. */
    private final UnsafeBuffer written;

    private final byte[] headerBytes;
    private final UnsafeBuffer headers;
    private final byte[] bodies;
    private final int capacity;
    private @Nullable HeaderSeal seal;
    private int overhead;
    private int headersLength;
    private int bodiesLength;

    FrameWriter(int maxFrameLength) {
        capacity = Math.min(maxFrameLength, GREATEST_HEADERS_BYTES);
        frame = ByteBuffer.allocateDirect(maxFrameLength);
        written = new UnsafeBuffer(frame);
        headerBytes = new byte[capacity];
        headers = new UnsafeBuffer(headerBytes);
        bodies = new byte[capacity];
    }

    /** Seals every frame from now on; the current frame must be empty. */
    void sealWith(HeaderSeal newSeal) {
        seal = newSeal;
        overhead = newSeal.overheadBytes();
    }

    boolean isEmpty() {
        return headersLength == 0;
    }

    /** Returns how many bytes of headers and bodies still fit. */
    int room() {
        return capacity - PREFIX_BYTES - overhead - headersLength - bodiesLength;
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
        int end = bodiesLength + length;
        while (bodiesLength < end) {
            bodiesLength += input.read(bodies, bodiesLength, end - bodiesLength);
        }
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
        written.putShort(0, (short) length, ByteOrder.LITTLE_ENDIAN);
        written.putBytes(PREFIX_BYTES, headerBytes, 0, length);
        written.putBytes(PREFIX_BYTES + length, bodies, 0, bodiesLength);
        frame.clear().limit(PREFIX_BYTES + length + bodiesLength);
        headersLength = 0;
        bodiesLength = 0;
        return frame;
    }
}
