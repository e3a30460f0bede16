// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.exceptions.RegistrationException;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection. The thread that drives the transport advances its state. The owner's threads offer and poll:
 * one thread at a time offers and one polls, possibly at the same moment. The two share only what never changes once
 * the link is connected. {@link Users} keep the driving thread from unmapping memory that they are using.
 */
final class AeronLink implements Link {

    /** Which side of the link this is. */
    enum Side {
        INVITING,
        DIALLING
    }

    /**
     * The number of calls of a method that have not returned. Only one thread at a time writes it, so it need not be
     * atomic.
     */
    private static class Count {
        private volatile int calls;

        /**
         * A full fence: either the thread that frees the log sees this call, or this call sees that the link is closed.
         */
        void enter() {
            int before = calls;
            calls = before + 1;
        }

        void leave() {
            int before = calls;
            calls = before - 1;
        }

        int calls() {
            return calls;
        }
    }

    /**
     * A count with padding, so that no other count shares its cache line. A line has 64 bytes, and a processor fetches
     * two. An array of counts would do as well, but takes a dozen calls to access, which a fresh process interprets.
     */
    @SuppressWarnings("unused") // its fields are padding
    private static final class Users extends Count {
        private long room1;
        private long room2;
        private long room3;
        private long room4;
        private long room5;
        private long room6;
        private long room7;
        private long room8;
        private long room9;
        private long room10;
        private long room11;
        private long room12;
        private long room13;
        private long room14;
        private long room15;
    }

    private final Address address;
    private final Side side;
    private final StreamPair streams;
    private final TransportCounters counters;
    private final LinkShape shape;
    private final int maxFrameLength;
    private final FrameReader reader;
    private final Users offering = new Users();
    private final Users polling = new Users();
    private final UnsafeBuffer offered = new UnsafeBuffer(0, 0);
    private @Nullable ByteBuffer lastOffered;
    private @Nullable Image image;
    private @Nullable ExclusivePublication publication;
    private long dialEndNs;
    private long graceEndNs;
    private boolean isEnding;
    private volatile LinkState state = LinkState.CONNECTING;
    private volatile String closeReason = "";

    AeronLink(AeronAddress address, Side side, StreamPair streams, TransportCounters counters) {
        this.address = address.toAddress();
        this.side = side;
        this.streams = streams;
        this.counters = counters;
        this.shape = address.shape();
        this.maxFrameLength = shape.maxFrameLength();
        this.reader = new FrameReader(maxFrameLength, counters);
        counters.countOpened();
    }

    /** Sets when a dialled link gives up; an invited link waits as long as it is wanted. */
    AeronLink withDialEnd(long endNs) {
        dialEndNs = endNs;
        return this;
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
        return closeReason;
    }

    @Override
    public boolean isConfined() {
        return streams.isInMemory();
    }

    @Override
    public int maxFrameLength() {
        return maxFrameLength;
    }

    /** Returns how much memory the logs of both directions take. */
    long logBytes() {
        return 2 * shape.logBytes();
    }

    StreamPair streams() {
        return streams;
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        int length = frame.remaining();
        if (length < 1 || length > maxFrameLength) {
            throw new IllegalArgumentException("A frame of " + length + " bytes was offered to the link '"
                    + address.text() + "'; expected 1 to " + maxFrameLength + " bytes.");
        }
        offering.enter();
        try {
            LinkState current = state;
            ExclusivePublication out = publication;
            if (current == LinkState.CLOSED) {
                return OfferResult.CLOSED;
            }
            if (current == LinkState.CONNECTING || out == null) {
                return OfferResult.NOT_CONNECTED;
            }
            UnsafeBuffer view = viewOf(frame);
            long position = out.offer(view, frame.position(), length);
            if (position == Publication.ADMIN_ACTION) {
                position = out.offer(view, frame.position(), length);
            }
            return position > 0 ? OfferResult.ACCEPTED : refusal(position);
        } finally {
            offering.leave();
        }
    }

    /**
     * Compares by identity, because the same buffer is offered again and again; its memory matters, not its content.
     */
    @SuppressWarnings("ReferenceEquality")
    private UnsafeBuffer viewOf(ByteBuffer frame) {
        if (frame != lastOffered) {
            offered.wrap(frame);
            lastOffered = frame;
        }
        return offered;
    }

    private static OfferResult refusal(long position) {
        if (position == Publication.BACK_PRESSURED || position == Publication.ADMIN_ACTION) {
            return OfferResult.BACK_PRESSURED;
        }
        return position == Publication.NOT_CONNECTED ? OfferResult.NOT_CONNECTED : OfferResult.CLOSED;
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        polling.enter();
        try {
            Image in = image;
            if (state != LinkState.CONNECTED || in == null) {
                return 0;
            }
            int frames = reader.poll(in, handler, frameLimit);
            if (reader.isBroken()) {
                close("the peer sent something that is not a frame of this link, which allows " + maxFrameLength
                        + " bytes");
            }
            return frames;
        } finally {
            polling.leave();
        }
    }

    /** Returns whether a thread is inside {@link #offer} or {@link #poll}. */
    boolean isInUse() {
        return offering.calls() + polling.calls() != 0;
    }

    @Override
    public void close() {
        close("closed by this process");
    }

    void close(String reason) {
        synchronized (counters) {
            if (state != LinkState.CLOSED) {
                closeReason = reason;
                state = LinkState.CLOSED;
                counters.countClosed();
            }
        }
    }

    /** Advances the state. The thread that drives the transport calls it. */
    int doWork(long nowNs) {
        return switch (state) {
            case CONNECTING -> connect(nowNs);
            case CONNECTED -> watch(nowNs);
            case CLOSED -> 0;
        };
    }

    private int connect(long nowNs) {
        boolean hasMoved;
        try {
            hasMoved = streams.advance();
        } catch (RegistrationException e) {
            close("the media driver refused the link, which happens if the address was dialled before: "
                    + e.getMessage());
            return 1;
        } catch (RuntimeException e) {
            close("the link could not be made: " + e.getMessage());
            return 1;
        }
        Image in = streams.image();
        if (in != null && in.isClosed()) {
            close("the peer went away while the link was being made");
            return 1;
        }
        if (streams.isConnected()) {
            image = in;
            publication = streams.publication();
            setConnected();
            return 1;
        }
        if (side == Side.DIALLING && nowNs - dialEndNs > 0) {
            close("no process answered at '" + address.text()
                    + "': the inviting process has closed the link, another peer has"
                    + " dialled it, or a firewall blocks it");
            return 1;
        }
        return hasMoved ? 1 : 0;
    }

    private void setConnected() {
        synchronized (counters) {
            if (state == LinkState.CONNECTING) {
                state = LinkState.CONNECTED;
            }
        }
    }

    /** The driver keeps a log that has ended until it has been read. */
    private static boolean holdsUnread(Image in) {
        long end = in.endOfStreamPosition();
        return end != Long.MAX_VALUE && in.position() < end;
    }

    private int watch(long nowNs) {
        Image in = image;
        ExclusivePublication out = publication;
        if (in == null || out == null) {
            return 0;
        }
        if (in.isClosed() || in.isEndOfStream() || in.isPublicationRevoked()) {
            close("closed by the peer, or the peer is gone");
            return 1;
        }
        if (out.isClosed()) {
            close("the stream to the peer has ended");
            return 1;
        }
        // If it is no longer connected, the peer has closed its end or was silent for twice the lease.
        boolean isPeerGone = in.endOfStreamPosition() != Long.MAX_VALUE || !out.isConnected();
        if (!isPeerGone) {
            return 0;
        }
        if (shape.use() == LinkUse.DATA && holdsUnread(in)) {
            return 0;
        }
        if (!isEnding) {
            isEnding = true;
            graceEndNs = nowNs + TransportTimes.GRACE_NS;
        } else if (nowNs - graceEndNs > 0) {
            close("closed by the peer before everything it sent was read");
            return 1;
        }
        return 0;
    }
}
