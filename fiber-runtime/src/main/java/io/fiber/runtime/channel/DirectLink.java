// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.PartDecoder;
import io.fiber.runtime.protocol.codec.PartEncoder;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A link to another process of the program that has authenticated itself. Messages are written part by part, one part a
 * frame, sealed unless the link is confined. Arriving frames are checked against their actual length, and the first
 * invalid one ends the link. One thread at a time may write and one may read; everything else is thread-safe.
 */
public final class DirectLink implements FrameHandler {

    /** Writes the content of a part. */
    @FunctionalInterface
    public interface Content {
        /** Puts exactly as many bytes as {@code target} has remaining; its order is little endian. */
        void putInto(ByteBuffer target);
    }

    /** Receives parts. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Receives one part.
         *
         * @param remaining bytes of the message from this part on, at least {@code length}
         * @param content holds the part between position and limit, little endian; valid only during the call
         */
        void onPart(PartKind kind, long remaining, ByteBuffer content);
    }

    /** A buffer that a link passes on; ignore its position and limit. */
    private record View(ByteBuffer buffer, UnsafeBuffer header, ByteBuffer content) {
        static View of(ByteBuffer buffer) {
            ByteBuffer content = buffer.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
            return new View(buffer, new UnsafeBuffer(content), content);
        }
    }

    private static final int HEADER_BYTES = MessageHeaderEncoder.ENCODED_LENGTH + PartEncoder.BLOCK_LENGTH;

    private final Link link;
    private final @Nullable HeaderSeal seal;
    private final Runnable onSent;

    // Belong to the writing thread.
    private final ByteBuffer frame;
    private final byte[] plain;
    private final ByteBuffer content;
    private final UnsafeBuffer header;
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final PartEncoder partEncoder = new PartEncoder();
    private boolean waiting;

    // Belong to the reading thread.
    private final byte[] opened;
    private final View openedView;
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final PartDecoder partDecoder = new PartDecoder();
    private @Nullable View arrivedView;
    private @Nullable Handler handler;
    private @Nullable String fault;

    /**
     * Creates a link between two ends that have authenticated themselves.
     *
     * @param onSent run in any thread when something waits to be sent
     */
    DirectLink(Link link, Optional<HeaderSeal> seal, Runnable onSent) {
        this.link = link;
        this.seal = seal.orElse(null);
        this.onSent = onSent;
        int sealedLength = seal.isPresent() ? link.maxFrameLength() : 0;
        this.frame = ByteBuffer.allocateDirect(link.maxFrameLength()).order(ByteOrder.LITTLE_ENDIAN);
        this.plain = new byte[sealedLength];
        this.content = (seal.isPresent() ? ByteBuffer.wrap(plain) : frame.duplicate()).order(ByteOrder.LITTLE_ENDIAN);
        this.header = seal.isPresent() ? new UnsafeBuffer(plain) : new UnsafeBuffer(frame);
        this.opened = new byte[sealedLength];
        this.openedView = View.of(ByteBuffer.wrap(opened));
        headerEncoder.wrap(header, 0);
    }

    /** Returns the maximum number of content bytes of a part. */
    public int room() {
        return link.maxFrameLength() - HEADER_BYTES - (seal == null ? 0 : seal.overheadBytes());
    }

    /**
     * Puts a part into the single frame, which the previous part must have left, and offers it.
     *
     * @param remaining bytes of the message from this part on
     * @param length bytes of this part, at most {@link #room}
     */
    public OfferResult put(PartKind kind, long remaining, int length, Content what) {
        if (waiting) {
            throw new IllegalStateException("The part before has not left.");
        }
        partEncoder
                .wrapAndApplyHeader(header, 0, headerEncoder)
                .kind(kind.number())
                .remaining(remaining);
        content.clear().limit(HEADER_BYTES + length).position(HEADER_BYTES);
        what.putInto(content);
        int frameLength = HEADER_BYTES + length;
        if (seal != null) {
            if (!seal.seal(plain, 0, frameLength)) {
                link.close();
                return OfferResult.CLOSED;
            }
            frameLength += seal.overheadBytes();
            frame.clear().put(0, plain, 0, frameLength);
        }
        frame.clear().limit(frameLength);
        waiting = true;
        return offer();
    }

    /** Offers the waiting part, if there is one. */
    public OfferResult offer() {
        if (!waiting) {
            return OfferResult.ACCEPTED;
        }
        OfferResult result = link.offer(frame);
        if (result == OfferResult.ACCEPTED) {
            waiting = false;
            onSent.run();
        }
        return result;
    }

    /**
     * Passes on at most {@code limit} parts that have arrived.
     *
     * @return the number of parts
     */
    public int poll(Handler taker, int limit) {
        // A thread that only polls writes nothing here, because fields of the sending thread are close by.
        if (handler != taker) {
            handler = taker;
        }
        int parts = link.poll(this, limit);
        if (fault != null) {
            link.close();
        }
        return parts;
    }

    /** Returns what was wrong with the first invalid frame; null if there was none. */
    public @Nullable String fault() {
        return fault;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int offset, int length) {
        if (fault != null) {
            return;
        }
        View arrived = viewOf(buffer);
        if (seal == null) {
            read(arrived, offset, length);
            return;
        }
        arrived.header().getBytes(offset, opened, 0, length);
        if (seal.open(opened, 0, length)) {
            read(openedView, 0, length - seal.overheadBytes());
        } else {
            fault = "The other end sent a frame that it did not seal.";
        }
    }

    private void read(View view, int offset, int length) {
        if (length < HEADER_BYTES) {
            fault = "The other end sent a frame of " + length + " bytes.";
            return;
        }
        headerDecoder.wrap(view.header(), offset);
        int contentLength = length - HEADER_BYTES;
        int block = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        partDecoder.wrap(view.header(), block, headerDecoder.blockLength(), headerDecoder.version());
        PartKind kind = PartKind.of(partDecoder.kind());
        if (headerDecoder.templateId() != PartDecoder.TEMPLATE_ID
                || headerDecoder.schemaId() != PartDecoder.SCHEMA_ID
                || headerDecoder.blockLength() != PartDecoder.BLOCK_LENGTH
                || kind == null
                || partDecoder.remaining() < contentLength) {
            fault = "The other end sent a message " + headerDecoder.templateId() + " where parts are expected.";
            return;
        }
        Handler taker = handler;
        if (taker != null) {
            ByteBuffer arrived = view.content();
            arrived.limit(offset + length).position(offset + HEADER_BYTES);
            taker.onPart(kind, partDecoder.remaining(), arrived);
        }
    }

    /** Compares by identity, because a link uses the same few buffers again and again. */
    @SuppressWarnings("ReferenceEquality")
    private View viewOf(ByteBuffer buffer) {
        View view = arrivedView;
        if (view == null || view.buffer() != buffer) {
            view = View.of(buffer);
            arrivedView = view;
        }
        return view;
    }

    /** Returns whether no other user or host can read what is sent. */
    public boolean isConfined() {
        return link.isConfined();
    }

    /** Returns whether the link is over: either end has closed it, and everything readable was read. */
    public boolean isClosed() {
        return link.state() == LinkState.CLOSED;
    }

    /** Returns why the link is over, for people to read. */
    public String closeReason() {
        return link.closeReason();
    }

    /** Closes this end. The other end can still read what it has not read yet, as long as this process lives. */
    public void close() {
        link.close();
    }
}
