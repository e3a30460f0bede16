// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.FrameHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads frames from a socket, each preceded by its length, and passes them on without copying. The buffer is small until
 * the first long frame arrives, and never longer than the longest frame allows. Only one thread at a time may use it.
 */
final class FrameInput {

    static final int LENGTH_BYTES = Integer.BYTES;

    /** For many small frames at a time. Small, because a master may have a thousand of these. */
    private static final int FIRST_BYTES = 32 << 10;

    private final int maxFrameLength;
    private ByteBuffer buffer;
    private int start;
    private int end;

    FrameInput(int maxFrameLength) {
        this.maxFrameLength = maxFrameLength;
        this.buffer = ByteBuffer.allocateDirect(FIRST_BYTES);
    }

    /** Returns how many bytes have arrived; 0 also if the buffer is full, and -1 at the end of the stream. */
    int read(SocketChannel channel) throws IOException {
        int limit = makeRoom();
        buffer.limit(limit).position(end);
        int bytes = buffer.hasRemaining() ? channel.read(buffer) : 0;
        buffer.clear();
        end += Math.max(bytes, 0);
        return bytes;
    }

    /**
     * Returns up to where to read. Behind a long frame, only the length of the next one is read: more of it would have to be
     * moved.
     */
    private int makeRoom() throws IOException {
        int held = end - start;
        int length = nextLength();
        boolean isLong = length > FIRST_BYTES / 2 && held < LENGTH_BYTES + length;
        int wanted = isLong ? LENGTH_BYTES + length + LENGTH_BYTES : FIRST_BYTES;
        if (wanted > buffer.capacity()) {
            ByteBuffer longer = allocate(maxFrameLength + 2 * LENGTH_BYTES);
            longer.put(0, buffer, start, held);
            buffer = longer;
            start = 0;
        } else if (start > 0 && (held == 0 || start + wanted > buffer.capacity())) {
            buffer.put(0, buffer, start, held);
            start = 0;
        }
        end = start + held;
        return isLong ? start + wanted : buffer.capacity();
    }

    private static ByteBuffer allocate(int bytes) throws IOException {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            throw new IOException("no memory for a buffer of " + bytes + " bytes (-XX:MaxDirectMemorySize)", e);
        }
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
