// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.ByteBuffer;

/** Takes frames that have arrived. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * Takes one frame.
     *
     * @param buffer holds the frame at {@code [offset, offset + length)}; belongs to the link, must not be changed, and
     *     is valid only during the call. Position and limit mean nothing. The same few buffers are handed over again and
     *     again, so that a view of them can be kept by identity
     */
    void onFrame(ByteBuffer buffer, int offset, int length);
}
