// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;

/** One end of a channel. */
final class MemoryLink implements Link {

    static final int MAX_FRAME_BYTES = 8 << 10;
    private static final long TIME_TO_READ_NS = 1_000_000_000;

    /** Which end this is. */
    enum Side {
        INVITER,
        DIALLER;

        Side other() {
            return this == INVITER ? DIALLER : INVITER;
        }
    }

    private final Channel channel;
    private final Side side;
    private final MemoryNetwork network;
    private final MemoryCounters counters;
    private volatile LinkState state = LinkState.CONNECTING;

    MemoryLink(Channel channel, Side side, MemoryNetwork network, MemoryCounters counters) {
        this.channel = channel;
        this.side = side;
        this.network = network;
        this.counters = counters;
    }

    /** Notices what the other end did; true if that changed the state. */
    boolean advance() {
        if (state == LinkState.CLOSED) {
            return false;
        }
        if (channel.isClosed() && !holdsUnreadFrames()) {
            state = LinkState.CLOSED;
            return true;
        }
        if (state == LinkState.CONNECTING && channel.isJoined() && !channel.isCut()) {
            state = LinkState.CONNECTED;
            return true;
        }
        return false;
    }

    /** Frames that the other end sent before it closed can be read for any time, or for a second in a conversation. */
    private boolean holdsUnreadFrames() {
        return state == LinkState.CONNECTED
                && !channel.towards(side).isEmpty()
                && (MemoryAddresses.isForData(channel.address()) || network.nowNs() - channel.readableUntilNs() < 0);
    }

    @Override
    public Address address() {
        return channel.address();
    }

    @Override
    public LinkState state() {
        return state;
    }

    @Override
    public String closeReason() {
        return state == LinkState.CLOSED ? channel.closeReason() : "";
    }

    @Override
    public boolean isConfined() {
        return MemoryAddresses.isConfined(channel.address());
    }

    @Override
    public int maxFrameLength() {
        return MAX_FRAME_BYTES;
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        int length = frame.remaining();
        if (length < 1 || length > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException("The frame has " + length + " bytes; expected 1 to " + MAX_FRAME_BYTES
                    + ", the maxFrameLength of this link.");
        }
        if (state != LinkState.CONNECTED) {
            return state == LinkState.CLOSED ? OfferResult.CLOSED : OfferResult.NOT_CONNECTED;
        }
        if (channel.isCut() || channel.isClosed()) {
            return OfferResult.NOT_CONNECTED;
        }
        if (!channel.towards(side.other()).write(frame, network.dueNs())) {
            return OfferResult.BACK_PRESSURED;
        }
        counters.frameAccepted();
        return OfferResult.ACCEPTED;
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        if (state != LinkState.CONNECTED || channel.isCut()) {
            return 0;
        }
        int count = channel.towards(side).read(handler, frameLimit, network.nowNs());
        counters.framesDelivered(count);
        return count;
    }

    @Override
    public void close() {
        close("closed by the " + (side == Side.INVITER ? "inviting" : "dialling") + " end");
    }

    void close(String reason) {
        channel.close(reason, network.nowNs() + TIME_TO_READ_NS);
        state = LinkState.CLOSED;
    }
}
