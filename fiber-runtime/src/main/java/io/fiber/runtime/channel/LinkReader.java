// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.PartDecoder;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands over the parts that have arrived. Everything is checked against what the frame really holds; the first thing that
 * does not fit ends the link. Belongs to one thread at a time.
 */
public final class LinkReader implements FrameHandler {

    /** Takes parts. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Takes one part.
         *
         * @param remaining bytes of the message from this part on, at least {@code length}
         * @param content holds the part between position and limit, little endian; valid only during the call
         */
        void onPart(PartKind kind, long remaining, ByteBuffer content);
    }

    /** What a link hands over, whose position and limit mean nothing. */
    private record View(ByteBuffer buffer, UnsafeBuffer header, ByteBuffer content) {
        static View of(ByteBuffer buffer) {
            ByteBuffer content = buffer.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
            return new View(buffer, new UnsafeBuffer(content), content);
        }
    }

    private final Link link;
    private final @Nullable HeaderSeal seal;
    private final byte[] opened;
    private final View openedView;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PartDecoder part = new PartDecoder();
    private @Nullable View arrivedView;
    private @Nullable Handler handler;
    private @Nullable String fault;

    LinkReader(Link link, Optional<HeaderSeal> seal) {
        this.link = link;
        this.seal = seal.orElse(null);
        this.opened = new byte[seal.isPresent() ? link.maxFrameLength() : 0];
        this.openedView = View.of(ByteBuffer.wrap(opened));
    }

    /**
     * Hands over at most {@code limit} parts.
     *
     * @return how many
     */
    public int poll(Handler taker, int limit) {
        handler = taker;
        int parts = link.poll(this, limit);
        if (fault != null) {
            link.close();
        }
        return parts;
    }

    /** Returns what was wrong with the first bad frame; null while there was none. */
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
        if (length < LinkWriter.HEADER_BYTES) {
            fault = "The other end sent a frame of " + length + " bytes.";
            return;
        }
        header.wrap(view.header(), offset);
        int contentLength = length - LinkWriter.HEADER_BYTES;
        part.wrap(view.header(), offset + MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
        PartKind kind = PartKind.of(part.kind());
        if (header.templateId() != PartDecoder.TEMPLATE_ID
                || header.schemaId() != PartDecoder.SCHEMA_ID
                || header.blockLength() != PartDecoder.BLOCK_LENGTH
                || kind == null
                || part.remaining() < contentLength) {
            fault = "The other end sent a message " + header.templateId() + " where parts are expected.";
            return;
        }
        Handler taker = handler;
        if (taker != null) {
            ByteBuffer content = view.content();
            content.limit(offset + length).position(offset + LinkWriter.HEADER_BYTES);
            taker.onPart(kind, part.remaining(), content);
        }
    }

    /** A link hands over the same few buffers again and again. */
    @SuppressWarnings("ReferenceEquality")
    private View viewOf(ByteBuffer buffer) {
        View view = arrivedView;
        if (view == null || view.buffer() != buffer) {
            view = View.of(buffer);
            arrivedView = view;
        }
        return view;
    }
}
