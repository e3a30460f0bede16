// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to a socket, each preceded by its length. The kernel delivers what the socket has accepted, even after
 * this process has ended. At most the rest of one frame waits here. Only one thread at a time may use it.
 */
final class FrameOutput {

    private final ByteBuffer length = ByteBuffer.allocateDirect(FrameInput.LENGTH_BYTES);
    private final @Nullable ByteBuffer[] lengthAndFrame = {length, null};
    /** Has room for the longest frame so far. */
    private ByteBuffer rest = ByteBuffer.allocateDirect(0);

    private volatile boolean hasRest;

    /** Returns whether the rest of a frame waits. Thread-safe. */
    boolean hasRest() {
        return hasRest;
    }

    /** Writes a frame. Returns false if the socket accepts nothing, in which case nothing of the frame is kept. */
    boolean offer(SocketChannel channel, ByteBuffer frame) throws IOException {
        if (!flush(channel)) {
            return false;
        }
        // Before anything is written: without memory nothing of the frame must have left.
        makeRoom(FrameInput.LENGTH_BYTES + frame.remaining());
        int position = frame.position();
        length.clear().putInt(0, frame.remaining());
        lengthAndFrame[1] = frame;
        try {
            if (channel.write(lengthAndFrame) == 0) {
                return false;
            }
            if (frame.hasRemaining()) {
                rest.clear();
                rest.put(length).put(frame).flip();
                hasRest = true;
            }
            return true;
        } finally {
            frame.position(position);
        }
    }

    private void makeRoom(int bytes) {
        if (bytes > rest.capacity()) {
            rest = ByteBuffer.allocateDirect(Math.max(bytes, 2 * rest.capacity()));
        }
    }

    /** Writes what waits, and returns false if some of it still does. */
    boolean flush(SocketChannel channel) throws IOException {
        if (hasRest) {
            channel.write(rest);
            hasRest = rest.hasRemaining();
        }
        return !hasRest;
    }
}
