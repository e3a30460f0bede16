// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** One end of a connection inside a test: frames are copied from queue to queue, and a test may say when there is room. */
public final class TestLink implements Link {

    /** Whether a link pretends that nobody else can reach it. */
    public enum Reach {
        CONFINED,
        OPEN
    }

    private final int maxFrameLength;
    private final Reach reach;
    private final Queue<byte[]> in;
    private final Queue<byte[]> out;
    private volatile BooleanSupplier hasRoom = () -> true;
    private TestLink peer = this;
    private volatile LinkState state = LinkState.CONNECTED;

    private TestLink(int maxFrameLength, Reach reach, Queue<byte[]> in, Queue<byte[]> out) {
        this.maxFrameLength = maxFrameLength;
        this.reach = reach;
        this.in = in;
        this.out = out;
    }

    /** Returns one end; {@link #peer} returns the other. */
    public static TestLink pair(int maxFrameLength, Reach reach) {
        Queue<byte[]> one = new ConcurrentLinkedQueue<>();
        Queue<byte[]> two = new ConcurrentLinkedQueue<>();
        TestLink here = new TestLink(maxFrameLength, reach, one, two);
        TestLink there = new TestLink(maxFrameLength, reach, two, one);
        here.peer = there;
        there.peer = here;
        return here;
    }

    /** Returns the other end. */
    public TestLink peer() {
        return peer;
    }

    /** Asks before each frame whether it is accepted. */
    public TestLink room(BooleanSupplier supplier) {
        hasRoom = supplier;
        return this;
    }

    /** Sets where this end stands. */
    public void state(LinkState newState) {
        state = newState;
    }

    /** Returns the frames that this end has sent and the other has not read; they may be changed. */
    public Queue<byte[]> sent() {
        return out;
    }

    /** Sends a frame as it is. */
    public void inject(byte[] frame) {
        out.add(frame.clone());
    }

    @Override
    public Address address() {
        return new Address("test:link");
    }

    @Override
    public LinkState state() {
        return state;
    }

    @Override
    public String closeReason() {
        return state == LinkState.CLOSED ? "closed by the test" : "";
    }

    @Override
    public boolean isConfined() {
        return reach == Reach.CONFINED;
    }

    @Override
    public int maxFrameLength() {
        return maxFrameLength;
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        if (frame.remaining() < 1 || frame.remaining() > maxFrameLength || !frame.isDirect()) {
            throw new IllegalArgumentException("a frame of " + frame.remaining());
        }
        if (state != LinkState.CONNECTED) {
            return state == LinkState.CLOSED ? OfferResult.CLOSED : OfferResult.NOT_CONNECTED;
        }
        if (!hasRoom.getAsBoolean()) {
            return OfferResult.BACK_PRESSURED;
        }
        byte[] copy = new byte[frame.remaining()];
        frame.duplicate().get(copy);
        out.add(copy);
        return OfferResult.ACCEPTED;
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        int count = 0;
        while (count < frameLimit && state == LinkState.CONNECTED) {
            byte[] frame = in.poll();
            if (frame == null) {
                break;
            }
            int margin = 7;
            ByteBuffer memory = ByteBuffer.allocateDirect(frame.length + margin);
            memory.put(margin, frame);
            handler.onFrame(memory, margin, frame.length);
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        state = LinkState.CLOSED;
        peer.state = LinkState.CLOSED;
    }
}
