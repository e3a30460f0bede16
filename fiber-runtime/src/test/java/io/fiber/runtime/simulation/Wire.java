// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * One connection: two ends, and what is on its way between them. Frames of one direction arrive in order; different wires
 * have different delays, so that what two workers send overtakes.
 */
final class Wire {

    static final int FRAME_BYTES = 2048;
    /** After an interruption this long the connection has ended for both, and is never resumed. */
    static final long IMAGE_LIFE_NS = 40_000_000_000L;

    private static final long NEVER = Long.MAX_VALUE;

    /**
     * How a wire behaves.
     *
     * @param delayNs how long a frame takes
     * @param jitterNs by how much longer it may take
     * @param windowFrames how many frames may be under way
     * @param confined whether it is shared memory
     */
    record Nature(long delayNs, long jitterNs, int windowFrames, boolean confined) {}

    private record Flight(long arrivesNs, ByteBuffer frame) {}

    private final World world;
    private final Address address;
    private final Nature nature;
    private final End master = new End("master");
    private final End worker = new End("worker");

    Wire(World world, Address address, Nature nature) {
        this.world = world;
        this.address = address;
        this.nature = nature;
        master.other = worker;
        worker.other = master;
    }

    End master() {
        return master;
    }

    End worker() {
        return worker;
    }

    Address address() {
        return address;
    }

    /** The worker has dialled. */
    void join() {
        worker.connectedNs = world.nowNs() + delayNs();
        master.connectedNs = world.nowNs() + delayNs();
        world.later(worker.connectedNs - world.nowNs(), worker::wake);
        world.later(master.connectedNs - world.nowNs(), master::wake);
    }

    private long delayNs() {
        return nature.delayNs + (nature.jitterNs == 0 ? 0 : world.random().nextLong(nature.jitterNs));
    }

    /** Nothing arrives at either end for a while. */
    void cut(long forNs) {
        master.deafen(forNs);
        worker.deafen(forNs);
    }

    /** Tells whether the master hears nothing for so long that what was sent last comes too late for it. */
    boolean isMasterDeafFor(long forNs) {
        return world.nowNs() + forNs < master.deafUntilNs;
    }

    /** What was accepted and has not arrived is lost, as happens when its sender dies or ends on another host. */
    void loseWhatTheWorkerSent(int keep) {
        while (master.incoming.size() > keep) {
            master.incoming.removeLast();
        }
    }

    /** One end. */
    final class End implements Link {
        private final String name;
        private final ArrayDeque<Flight> incoming = new ArrayDeque<>();
        private End other = this;
        private Runnable wake = () -> {};
        private Runnable closed = () -> {};
        private long connectedNs = NEVER;
        private long deafUntilNs = Long.MIN_VALUE;
        private long fullUntilNs = Long.MIN_VALUE;
        private long closedNs = NEVER;
        private long lastArrivalNs = Long.MIN_VALUE;
        private boolean blocked;
        private boolean closedHere;
        private String reason = "";
        private long delivered;

        private End(String name) {
            this.name = name;
        }

        /** Says who is to look when something has come. */
        void onNews(Runnable waker) {
            wake = waker;
        }

        /** Says who is told when its owner closes this end. */
        void onClose(Runnable told) {
            closed = told;
        }

        void wake() {
            wake.run();
        }

        /** Tells whether its owner still holds it, though there was a peer. */
        boolean isLeftOpen() {
            return connectedNs != NEVER && !closedHere;
        }

        /** Returns how many frames this end has read. */
        long delivered() {
            return delivered;
        }

        /** Nothing arrives at this end for a while; after too long the connection is over for both. */
        void deafen(long forNs) {
            deafUntilNs = Math.max(deafUntilNs, world.nowNs() + forNs);
            world.later(forNs, this::wake);
            if (forNs >= IMAGE_LIFE_NS) {
                world.later(IMAGE_LIFE_NS, () -> {
                    if (isDeaf()) {
                        closeAfter(0, "nothing came for too long");
                        other.closeAfter(delayNs(), "nothing came for too long");
                    }
                });
            }
        }

        private boolean isDeaf() {
            return world.nowNs() < deafUntilNs;
        }

        /** Nothing is taken at this end for a while. */
        void fill(long forNs) {
            fullUntilNs = Math.max(fullUntilNs, world.nowNs() + forNs);
            world.later(forNs, this::wake);
        }

        /** This end finds itself closed after a while. */
        void closeAfter(long delayNs, String why) {
            long atNs = world.nowNs() + delayNs;
            if (closedNs == NEVER || atNs < closedNs) {
                closedNs = atNs;
                reason = why;
                world.later(delayNs, this::wake);
            }
        }

        @Override
        public Address address() {
            return address;
        }

        @Override
        public LinkState state() {
            if (world.nowNs() >= closedNs) {
                return LinkState.CLOSED;
            }
            return world.nowNs() >= connectedNs ? LinkState.CONNECTED : LinkState.CONNECTING;
        }

        @Override
        public String closeReason() {
            return state() == LinkState.CLOSED ? reason : "";
        }

        @Override
        public boolean isConfined() {
            return nature.confined;
        }

        @Override
        public int maxFrameLength() {
            return FRAME_BYTES;
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            LinkState state = state();
            if (state != LinkState.CONNECTED) {
                return state == LinkState.CLOSED ? OfferResult.CLOSED : OfferResult.NOT_CONNECTED;
            }
            if (world.nowNs() < fullUntilNs || other.incoming.size() >= nature.windowFrames) {
                blocked = true;
                return OfferResult.BACK_PRESSURED;
            }
            ByteBuffer copy = ByteBuffer.allocate(frame.remaining());
            copy.put(frame.duplicate()).flip();
            other.arrive(copy);
            return OfferResult.ACCEPTED;
        }

        private void arrive(ByteBuffer frame) {
            lastArrivalNs = Math.max(lastArrivalNs, world.nowNs() + delayNs());
            incoming.add(new Flight(lastArrivalNs, frame));
            world.later(lastArrivalNs - world.nowNs(), this::wake);
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            int frames = 0;
            while (frames < frameLimit && !isDeaf() && hasArrived()) {
                ByteBuffer frame = incoming.remove().frame;
                delivered++;
                frames++;
                handler.onFrame(frame, 0, frame.remaining());
            }
            if (frames > 0 && other.blocked) {
                other.blocked = false;
                world.later(delayNs(), other::wake);
            }
            return frames;
        }

        private boolean hasArrived() {
            Flight first = incoming.peek();
            return first != null && first.arrivesNs <= world.nowNs() && !closedHere;
        }

        /** The process of this end has ended by itself. */
        void leave() {
            close();
            if (!nature.confined) {
                loseWhatTheWorkerSent(0);
            }
        }

        @Override
        public void close() {
            closedHere = true;
            closed.run();
            closeAfter(0, "closed by the " + name);
            long arrivedNs = Math.max(Math.max(other.lastArrivalNs, other.deafUntilNs), world.nowNs() + delayNs());
            other.closeAfter(arrivedNs - world.nowNs() + 1, "closed by the " + name);
        }
    }
}
