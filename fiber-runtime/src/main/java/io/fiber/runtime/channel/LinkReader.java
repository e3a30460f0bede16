// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.PartDecoder;
import io.fiber.runtime.security.FrameOpener;
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

    private final Link link;
    private final @Nullable FrameOpener opener;
    private final byte[] opened;
    private final ByteBuffer openedView;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PartDecoder part = new PartDecoder();
    private @Nullable ByteBuffer sealed;
    private @Nullable ByteBuffer sealedView;
    private @Nullable ByteBuffer wrapped;
    private @Nullable ByteBuffer content;
    private @Nullable Handler handler;
    private @Nullable String fault;

    LinkReader(Link link, Optional<FrameOpener> opener) {
        this.link = link;
        this.opener = opener.orElse(null);
        this.opened = new byte[opener.isPresent() ? link.maxFrameLength() : 0];
        this.openedView = ByteBuffer.wrap(opened);
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
        if (opener == null) {
            read(buffer, offset, length);
            return;
        }
        sealedViewOf(buffer).get(offset, opened, 0, length);
        int plain = opener.open(opened, 0, 0, length);
        if (plain == FrameOpener.REFUSED) {
            fault = "The other end sent a frame that it did not seal.";
        } else {
            read(openedView, 0, plain);
        }
    }

    private void read(ByteBuffer buffer, int offset, int length) {
        ByteBuffer shown = viewOf(buffer);
        if (length < LinkWriter.HEADER_BYTES) {
            fault = "The other end sent a frame of " + length + " bytes.";
            return;
        }
        header.wrap(view, offset);
        int contentLength = length - LinkWriter.HEADER_BYTES;
        part.wrap(view, offset + MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
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
            shown.limit(offset + length).position(offset + LinkWriter.HEADER_BYTES);
            taker.onPart(kind, part.remaining(), shown);
        }
    }

    /** Position and limit of what a link hands over mean nothing, and a view of one's own has good ones. */
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer sealedViewOf(ByteBuffer buffer) {
        ByteBuffer shown = sealedView;
        if (shown == null || buffer != sealed) {
            shown = buffer.duplicate().clear();
            sealedView = shown;
            sealed = buffer;
        }
        return shown;
    }

    /** A link hands over the same few buffers again and again. */
    @SuppressWarnings("ReferenceEquality")
    private ByteBuffer viewOf(ByteBuffer buffer) {
        ByteBuffer shown = content;
        if (shown == null || buffer != wrapped) {
            view.wrap(buffer, 0, buffer.capacity());
            shown = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            content = shown;
            wrapped = buffer;
        }
        return shown.clear();
    }
}
