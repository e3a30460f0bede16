// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/** One of two ends in one process. Belongs to one thread. */
public final class PairedLink implements Link {

    private static final int FRAME_BYTES = 4096;

    private final Queue<ByteBuffer> incoming;
    private final Queue<ByteBuffer> outgoing;
    private boolean closed;
    /** Whether it takes no frame. */
    public boolean full;

    private PairedLink(Queue<ByteBuffer> incoming, Queue<ByteBuffer> outgoing) {
        this.incoming = incoming;
        this.outgoing = outgoing;
    }

    /** The two ends. */
    public record Pair(PairedLink master, PairedLink worker) {}

    /** Returns two ends. */
    public static Pair pair() {
        Queue<ByteBuffer> down = new ArrayDeque<>();
        Queue<ByteBuffer> up = new ArrayDeque<>();
        return new Pair(new PairedLink(up, down), new PairedLink(down, up));
    }

    @Override
    public Address address() {
        return new Address("paired");
    }

    @Override
    public LinkState state() {
        return closed ? LinkState.CLOSED : LinkState.CONNECTED;
    }

    @Override
    public String closeReason() {
        return closed ? "closed by the test" : "";
    }

    @Override
    public boolean isConfined() {
        return true;
    }

    @Override
    public int maxFrameLength() {
        return FRAME_BYTES;
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        if (closed) {
            return OfferResult.CLOSED;
        }
        if (full) {
            return OfferResult.BACK_PRESSURED;
        }
        ByteBuffer copy = ByteBuffer.allocateDirect(frame.remaining());
        copy.put(frame.duplicate()).flip();
        outgoing.add(copy);
        return OfferResult.ACCEPTED;
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        int frames = 0;
        while (frames < frameLimit && !incoming.isEmpty()) {
            ByteBuffer frame = incoming.remove();
            handler.onFrame(frame, 0, frame.remaining());
            frames++;
        }
        return frames;
    }

    @Override
    public void close() {
        closed = true;
    }
}
