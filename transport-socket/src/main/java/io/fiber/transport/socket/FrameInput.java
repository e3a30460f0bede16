// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.FrameHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads frames from a socket, each behind its length, and hands them over where they lie. The buffer is as long as two
 * frames may be, whatever a peer says. Belongs to one thread at a time.
 */
final class FrameInput {

    static final int LENGTH_BYTES = Integer.BYTES;

    private final int maxFrameLength;
    private final ByteBuffer buffer;
    private int start;
    private int end;

    FrameInput(int maxFrameLength) {
        this.maxFrameLength = maxFrameLength;
        this.buffer = ByteBuffer.allocateDirect(2 * (LENGTH_BYTES + maxFrameLength));
    }

    /** Returns how many bytes have arrived; 0 also when there is no room for any, -1 at the end of the stream. */
    int read(SocketChannel channel) throws IOException {
        if (start == end) {
            start = 0;
            end = 0;
        } else if (buffer.capacity() - start < LENGTH_BYTES + maxFrameLength) {
            buffer.put(0, buffer, start, end - start);
            end -= start;
            start = 0;
        }
        buffer.position(end);
        int bytes = buffer.hasRemaining() ? channel.read(buffer) : 0;
        end += Math.max(bytes, 0);
        return bytes;
    }

    /** Tells whether a whole frame is here, or a length that cannot be one. */
    boolean hasNext() {
        int length = nextLength();
        return length != 0 && (length < 0 || end - start >= LENGTH_BYTES + length);
    }

    /** Returns the length of the next frame, 0 when it is not known yet, -1 when no frame has it. */
    private int nextLength() {
        if (end - start < LENGTH_BYTES) {
            return 0;
        }
        int length = buffer.getInt(start);
        return length >= 1 && length <= maxFrameLength ? length : -1;
    }

    /** Tells whether the peer has sent a length that no frame has. */
    boolean isBroken() {
        return nextLength() < 0;
    }

    /** Tells what a broken length is. */
    long brokenLength() {
        return Integer.toUnsignedLong(buffer.getInt(start));
    }

    /** Tells whether the beginning of a frame is here. */
    boolean holdsPart() {
        return start != end;
    }

    /** Hands over whole frames. */
    int poll(FrameHandler handler, int frameLimit) {
        int frames = 0;
        while (frames < frameLimit && hasNext() && !isBroken()) {
            int length = nextLength();
            int offset = start + LENGTH_BYTES;
            start = offset + length;
            frames++;
            handler.onFrame(buffer, offset, length);
        }
        return frames;
    }

    /** Drops what is here. */
    void drop() {
        start = 0;
        end = 0;
    }
}
