// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.PartEncoder;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages part by part, one part a frame. Holds one frame, which must be accepted before the next is put. Belongs to
 * one thread at a time.
 */
public final class LinkWriter {

    static final int HEADER_BYTES = MessageHeaderEncoder.ENCODED_LENGTH + PartEncoder.BLOCK_LENGTH;

    /** Writes the content of a part. */
    @FunctionalInterface
    public interface Content {
        /** Puts exactly as many bytes as {@code target} has remaining; its order is little endian. */
        void putInto(ByteBuffer target);
    }

    private final Link link;
    private final Runnable onSent;
    private final ByteBuffer frame;
    private final @Nullable HeaderSeal seal;
    private final byte[] plain;
    private final ByteBuffer content;
    private final UnsafeBuffer header;
    private final MessageHeaderEncoder messageHeader = new MessageHeaderEncoder();
    private final PartEncoder part = new PartEncoder();
    private boolean waiting;

    LinkWriter(Link link, Optional<HeaderSeal> seal, Runnable onSent) {
        this.onSent = onSent;
        this.link = link;
        this.seal = seal.orElse(null);
        this.frame = ByteBuffer.allocateDirect(link.maxFrameLength()).order(ByteOrder.LITTLE_ENDIAN);
        this.plain = new byte[seal.isPresent() ? link.maxFrameLength() : 0];
        this.content = (seal.isPresent() ? ByteBuffer.wrap(plain) : frame.duplicate()).order(ByteOrder.LITTLE_ENDIAN);
        this.header = seal.isPresent() ? new UnsafeBuffer(plain) : new UnsafeBuffer(frame);
        messageHeader.wrap(header, 0);
    }

    /** Returns how many bytes of content a part holds at most. */
    public int room() {
        return link.maxFrameLength() - HEADER_BYTES - (seal == null ? 0 : seal.overheadBytes());
    }

    /** Tells whether everything that was put has left. */
    public boolean isClear() {
        return !waiting;
    }

    /**
     * Puts a part into the frame, which must be clear, and offers it.
     *
     * @param remaining bytes of the message from this part on
     * @param length bytes of this part, at most {@link #room}
     */
    public OfferResult put(PartKind kind, long remaining, int length, Content what) {
        if (waiting) {
            throw new IllegalStateException("The part before has not left.");
        }
        part.wrapAndApplyHeader(header, 0, messageHeader).kind(kind.number()).remaining(remaining);
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

    /** Offers the part that waits, if one does. */
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
}
