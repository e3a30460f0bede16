// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.FrameHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads frames from a socket, each preceded by its length, and passes them on without copying. The buffer holds two
 * frames, whatever length a peer announces. Only one thread at a time may use it.
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

    /** Returns how many bytes have arrived; 0 also if the buffer is full, and -1 at the end of the stream. */
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

    /** Returns whether a whole frame has arrived, or an invalid length. */
    boolean hasNext() {
        int length = nextLength();
        return length != 0 && (length < 0 || end - start >= LENGTH_BYTES + length);
    }

    /** Returns the length of the next frame; 0 if it is not known yet, and -1 if it is invalid. */
    private int nextLength() {
        if (end - start < LENGTH_BYTES) {
            return 0;
        }
        int length = buffer.getInt(start);
        return length >= 1 && length <= maxFrameLength ? length : -1;
    }

    /** Returns whether the peer has sent an invalid length. */
    boolean isBroken() {
        return nextLength() < 0;
    }

    /** Returns the invalid length. */
    long brokenLength() {
        return Integer.toUnsignedLong(buffer.getInt(start));
    }

    /** Returns whether part of a frame has arrived. */
    boolean holdsPart() {
        return start != end;
    }

    /** Passes on the whole frames that have arrived. */
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

    /** Drops what has arrived. */
    void drop() {
        start = 0;
        end = 0;
    }
}
