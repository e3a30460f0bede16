// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A transport between hosts without a fault: each frame takes the same time, and no link is ever full. It reads no clock and
 * makes no choice, so that a process which uses it pays for the copy of a frame and for nothing else.
 */
final class SteadyNetwork implements Transport {

    /** What a frame takes from one host of a cluster to another. */
    static final long WAY_NS = 50_000;

    private static final int FRAME_BYTES = 8192;

    private final World world;
    private final Map<String, End> invited = new HashMap<>();
    private final List<End> dialled = new ArrayList<>();
    private Runnable wakeMaster = () -> {};
    private int made;
    private long frames;

    SteadyNetwork(World world) {
        this.world = world;
    }

    /** Says what is told when something has come for the process that invites. */
    void onNewsForMaster(Runnable told) {
        wakeMaster = told;
    }

    /** Returns how many frames were sent, in either direction. */
    long frames() {
        return frames;
    }

    /** Forgets the ends that have dialled, as if their processes had never been in this memory. */
    void forgetFarEnds() {
        dialled.forEach(near -> near.other = near);
    }

    @Override
    public Link invite(LinkUse use) {
        End near = new End(new Address("steady:" + ++made));
        near.onNews(() -> wakeMaster.run());
        invited.put(near.address.text(), near);
        return near;
    }

    @Override
    public End dial(Address address) {
        End near = requireNonNull(invited.remove(address.text()), address.text());
        End far = new End(address);
        dialled.add(near);
        near.other = far;
        far.other = near;
        world.later(WAY_NS, () -> {
            near.state = LinkState.CONNECTED;
            far.state = LinkState.CONNECTED;
            near.wake.run();
            far.wake.run();
        });
        return far;
    }

    @Override
    public int doWork() {
        return 0;
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public void close() {
        invited.clear();
    }

    /** One end of a link. */
    final class End implements Link {
        private final Address address;
        private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
        private End other = this;
        private Runnable wake = () -> {};
        private LinkState state = LinkState.CONNECTING;

        private End(Address address) {
            this.address = address;
        }

        /** Says what is told when something has come. */
        void onNews(Runnable told) {
            wake = told;
        }

        @Override
        public Address address() {
            return address;
        }

        @Override
        public LinkState state() {
            return state;
        }

        @Override
        public String closeReason() {
            return state == LinkState.CLOSED ? "closed by one of its ends" : "";
        }

        @Override
        public boolean isConfined() {
            return false;
        }

        @Override
        public int maxFrameLength() {
            return FRAME_BYTES;
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            if (state != LinkState.CONNECTED) {
                return state == LinkState.CLOSED ? OfferResult.CLOSED : OfferResult.NOT_CONNECTED;
            }
            ByteBuffer copy = ByteBuffer.allocate(frame.remaining());
            copy.put(frame.duplicate()).flip();
            frames++;
            world.later(WAY_NS, () -> other.take(copy));
            return OfferResult.ACCEPTED;
        }

        private void take(ByteBuffer frame) {
            arrived.add(frame);
            wake.run();
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            int polled = 0;
            for (; polled < frameLimit && !arrived.isEmpty(); polled++) {
                ByteBuffer frame = arrived.remove();
                handler.onFrame(frame, 0, frame.remaining());
            }
            return polled;
        }

        @Override
        public void close() {
            state = LinkState.CLOSED;
            world.later(WAY_NS, () -> {
                other.state = LinkState.CLOSED;
                other.wake.run();
            });
        }
    }
}
