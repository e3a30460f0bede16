// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.ByteBuffer;

/** Receives frames. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * Receives one frame.
     *
     * @param buffer holds the frame at {@code [offset, offset + length)}. It belongs to the link, is valid only during
     *     the call and must not be changed; ignore its position and limit. The same few buffers are used again and
     *     again, so you can cache a view of them by identity
     */
    void onFrame(ByteBuffer buffer, int offset, int length);
}
