// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** A receiving socket that consults the {@link StreamGuard} before anything reaches the driver. */
final class GuardedReceiveEndpoint extends ReceiveChannelEndpoint {

    private final StreamGuard guard;

    GuardedReceiveEndpoint(
            UdpChannel channel,
            DataPacketDispatcher dispatcher,
            AtomicCounter status,
            MediaDriver.Context context,
            StreamGuard guard) {
        super(channel, dispatcher, status, context);
        this.guard = guard;
    }

    @Override
    public void onSetupMessage(
            SetupFlyweight header, UnsafeBuffer buffer, int length, InetSocketAddress srcAddress, int transportIndex) {
        if (length < SetupFlyweight.HEADER_LENGTH) {
            guard.refuseSetup();
            return;
        }
        LinkShape offered = new LinkShape(header.termLength(), header.mtuLength());
        if (hasSanePosition(header) && guard.admitsSetup(header.streamId(), header.sessionId(), offered, srcAddress)) {
            super.onSetupMessage(header, buffer, length, srcAddress, transportIndex);
        }
    }

    private boolean hasSanePosition(SetupFlyweight header) {
        int offset = header.termOffset();
        boolean isSane = header.activeTermId() - header.initialTermId() >= 0
                && offset >= 0
                && offset < header.termLength()
                && offset % FrameDescriptor.FRAME_ALIGNMENT == 0;
        if (!isSane) {
            guard.refuseSetup();
        }
        return isSane;
    }

    @Override
    public int onDataPacket(
            DataHeaderFlyweight header,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            int transportIndex) {
        if (length < DataHeaderFlyweight.HEADER_LENGTH) {
            guard.refuseData();
            return 0;
        }
        LinkShape shape = guard.shapeOfData(header.streamId(), header.sessionId(), srcAddress);
        if (shape == null) {
            return 0;
        }
        if (!isWellFormed(buffer, length, header.termOffset(), shape)) {
            guard.refuseData();
            return 0;
        }
        return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
    }

    /** The reader of the log trusts the lengths in it, so each must be within the packet and the term. */
    static boolean isWellFormed(UnsafeBuffer buffer, int length, int termOffset, LinkShape shape) {
        int termLength = shape.termLengthBytes();
        if (length > shape.mtuBytes() || termOffset < 0 || termOffset > termLength) {
            return false;
        }
        if (length == DataHeaderFlyweight.HEADER_LENGTH && FrameDescriptor.frameLength(buffer, 0) == 0) {
            return true;
        }
        if (length > termLength - termOffset || termOffset % FrameDescriptor.FRAME_ALIGNMENT != 0) {
            return false;
        }
        int offset = 0;
        while (offset + DataHeaderFlyweight.HEADER_LENGTH <= length) {
            int frameLength = FrameDescriptor.frameLength(buffer, offset);
            if (frameLength < DataHeaderFlyweight.HEADER_LENGTH || frameLength > termLength - termOffset - offset) {
                return false;
            }
            int end = offset + BitUtil.align(frameLength, FrameDescriptor.FRAME_ALIGNMENT);
            if (FrameDescriptor.frameType(buffer, offset) == HeaderFlyweight.HDR_TYPE_PAD) {
                return offset + DataHeaderFlyweight.HEADER_LENGTH == length || end == length;
            }
            if (end > length) {
                return false;
            }
            offset = end;
        }
        return offset == length;
    }

    @Override
    public void onRttMeasurement(
            RttMeasurementFlyweight header,
            UnsafeBuffer buffer,
            int length,
            InetSocketAddress srcAddress,
            int transportIndex) {
        if (length < RttMeasurementFlyweight.HEADER_LENGTH) {
            guard.refuseControl();
        } else if (guard.shapeOfData(header.streamId(), header.sessionId(), srcAddress) != null) {
            super.onRttMeasurement(header, buffer, length, srcAddress, transportIndex);
        }
    }
}
