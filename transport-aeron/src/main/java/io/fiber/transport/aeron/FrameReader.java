// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.fiber.spi.transport.FrameHandler;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the frames of one image. A frame in one piece is passed on without copying; other frames are put together
 * in a buffer. The buffer is as long as the longest frame, so a peer cannot make it grow.
 */
final class FrameReader implements FragmentHandler {

    private final int maxFrameLength;
    private final TransportCounters counters;
    private @Nullable ByteBuffer assembly;
    private int assembledLength;
    private boolean isAssembling;
    private boolean isBroken;
    private int handedOver;
    private @Nullable FrameHandler handler;

    FrameReader(int maxFrameLength, TransportCounters counters) {
        this.maxFrameLength = maxFrameLength;
        this.counters = counters;
    }

    int poll(Image image, FrameHandler frameHandler, int frameLimit) {
        FrameHandler outer = handler;
        int outerCount = handedOver;
        handler = frameHandler;
        handedOver = 0;
        try {
            while (handedOver < frameLimit && !isBroken && image.poll(this, frameLimit - handedOver) > 0) {
                // Continues until the limit is reached or nothing has arrived.
            }
            return handedOver;
        } finally {
            handler = outer;
            handedOver = outerCount;
        }
    }

    /** Returns whether the peer sent something that is not a frame of this link. */
    boolean isBroken() {
        return isBroken;
    }

    @Override
    public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        ByteBuffer memory = buffer.byteBuffer();
        if (isBroken || memory == null || length < 0 || length > buffer.capacity() - offset) {
            refuse();
            return;
        }
        byte flags = header.flags();
        if ((flags & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED) {
            handOver(memory, buffer.wrapAdjustment() + offset, length);
        } else {
            assemble(buffer, offset, length, flags);
        }
    }

    private void assemble(DirectBuffer buffer, int offset, int length, byte flags) {
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0) {
            isAssembling = true;
            assembledLength = 0;
        }
        if (!isAssembling || length > maxFrameLength - assembledLength) {
            refuse();
            return;
        }
        ByteBuffer target = assembly;
        if (target == null) {
            target = ByteBuffer.allocateDirect(maxFrameLength);
            assembly = target;
        }
        buffer.getBytes(offset, target, assembledLength, length);
        assembledLength += length;
        if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0) {
            isAssembling = false;
            handOver(target, 0, assembledLength);
        }
    }

    private void handOver(ByteBuffer memory, int offset, int length) {
        FrameHandler receiver = handler;
        if (length < 1 || length > maxFrameLength || receiver == null) {
            refuse();
            return;
        }
        handedOver++;
        receiver.onFrame(memory, offset, length);
    }

    private void refuse() {
        isBroken = true;
        counters.countRefusedFrame();
    }
}
