// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BodyDecoder;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.SegmentDecoder;
import io.fiber.spi.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the frames of a link and joins payloads that were cut. Every value is checked against the content of the frame
 * before it is used; the first mismatch ends the connection. Belongs to one thread.
 */
public final class Inbox implements FrameHandler {

    /** Messages with this template id or a greater one start with a {@code Body}. */
    public static final int FIRST_TEMPLATE_WITH_BODY = 100;

    private static final int HEADER_BYTES = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int GREATEST_BLOCK_BYTES = 4096;
    private static final byte[] NO_BYTES = new byte[0];

    private final Consumer<Message> handler;
    private final HeapShare heap;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final BodyDecoder body = new BodyDecoder();
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    /**
     * The opened headers of sealed frames. It is as long as the longest so far, because a master may have a thousand of
     * these.
     */
    private final UnsafeBuffer opened = new UnsafeBuffer(NO_BYTES);

    private final UnsafeBuffer keptBlock = new UnsafeBuffer(NO_BYTES);
    private final Message message = new Message(frame);
    /** The message whose payload is being joined. */
    private final Message kept = new Message(keptBlock);

    private @Nullable ByteBuffer wrapped;
    private @Nullable HeaderSeal seal;
    private @Nullable PayloadJoiner joiner;
    private @Nullable String fault;
    private boolean closed;
    private long limitBytes;
    private long bytes;

    /**
     * Creates an inbox.
     *
     * @param limitBytes the maximum accepted payload; raised when the peer has proven its key
     */
    public Inbox(Consumer<Message> handler, long limitBytes) {
        this(handler, limitBytes, HeapShare.ofHeap());
    }

    public Inbox(Consumer<Message> handler, long limitBytes, HeapShare heap) {
        this.handler = handler;
        this.heap = heap;
        this.limitBytes = limitBytes;
    }

    /**
     * Accepts only frames sealed by the peer, from the next frame on, and no unsealed payload, because bodies are
     * outside the seal of the headers. Anything after the current message in its frame is rejected, because it was not
     * sealed.
     */
    public void openWith(HeaderSeal newSeal) {
        seal = newSeal;
    }

    public void limit(long bytes) {
        limitBytes = bytes;
    }

    /** Returns what was wrong with the first bad frame; null if there was none. */
    public @Nullable String fault() {
        return fault;
    }

    /** Returns how many bytes of frames, good or bad, have arrived since the last call. */
    public long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link hands over the same few buffers again and again
    public void onFrame(ByteBuffer buffer, int offset, int length) {
        bytes += length;
        if (closed) {
            return;
        }
        if (buffer != wrapped) {
            frame.wrap(buffer, 0, buffer.capacity());
            wrapped = buffer;
        }
        if (length < FrameWriter.PREFIX_BYTES) {
            fail("a frame of " + length + " bytes");
            return;
        }
        int headersLength = frame.getShort(offset, java.nio.ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        int headersOffset = offset + FrameWriter.PREFIX_BYTES;
        int bodiesOffset = headersOffset + headersLength;
        int end = offset + length;
        if (headersLength == 0 || bodiesOffset > end) {
            fail("headers of " + headersLength + " bytes in a frame of " + length);
            return;
        }
        if (seal == null) {
            read(frame, headersOffset, headersLength, bodiesOffset, end);
        } else {
            makeRoom(opened, headersLength);
            frame.getBytes(headersOffset, opened.byteArray(), 0, headersLength);
            if (!seal.open(opened.byteArray(), 0, headersLength)) {
                fail("a frame that the peer did not seal");
                return;
            }
            read(opened, 0, headersLength - seal.overheadBytes(), bodiesOffset, end);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the same seal, not an equal one
    private void read(UnsafeBuffer headers, int headersOffset, int headersLength, int bodiesOffset, int end) {
        HeaderSeal sealOfFrame = seal;
        int position = headersOffset;
        int headersEnd = headersOffset + headersLength;
        int bodyPosition = bodiesOffset;
        while (position < headersEnd && !closed) {
            if (seal != sealOfFrame) {
                fail("unsealed data after the end of the handshake");
                return;
            }
            if (headersEnd - position < HEADER_BYTES) {
                fail("a message header of " + (headersEnd - position) + " bytes");
                return;
            }
            header.wrap(headers, position);
            int block = position + HEADER_BYTES;
            int blockLength = header.blockLength();
            if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID
                    || blockLength > headersEnd - block
                    || blockLength > GREATEST_BLOCK_BYTES) {
                failBlock(header.templateId(), header.schemaId(), blockLength);
                return;
            }
            message.templateId = header.templateId();
            message.blockLength = blockLength;
            message.version = header.version();
            position = block + blockLength;
            if (message.templateId < FIRST_TEMPLATE_WITH_BODY) {
                hand(message, headers, block, SealedPayload.none());
            } else {
                bodyPosition += readBody(headers, block, bodyPosition, end);
            }
        }
        if (!closed && bodyPosition != end) {
            fail((end - bodyPosition) + " bytes that belong to no message");
        }
    }

    /** Returns how many bytes of the bodies were used. */
    private int readBody(UnsafeBuffer headers, int block, int bodyPosition, int end) {
        if (message.blockLength < BodyDecoder.ENCODED_LENGTH) {
            failBlock(message.templateId, MessageHeaderDecoder.SCHEMA_ID, message.blockLength);
            return 0;
        }
        body.wrap(headers, block);
        int inFrame = body.inFrame();
        long payloadLength = body.payloadLength();
        if (inFrame < 0 || inFrame > end - bodyPosition) {
            fail("a body of " + inFrame + " bytes where " + (end - bodyPosition) + " are left");
        } else if (message.templateId == SegmentDecoder.TEMPLATE_ID) {
            continuePayload(bodyPosition, inFrame, payloadLength);
        } else if (payloadLength < inFrame || payloadLength > limitBytes) {
            fail("a payload of " + payloadLength + " bytes; the limit is " + limitBytes);
        } else if (joiner != null && payloadLength != inFrame) {
            fail("a payload inside another");
        } else if (seal != null && payloadLength > 0 && body.sealer() < 0) {
            fail("a payload without a seal, on a link that others can reach");
        } else if (payloadLength == inFrame) {
            hand(message, headers, block, withSeal(Payload.copyOf(frame, bodyPosition, inFrame)));
        } else {
            makeRoom(keptBlock, message.blockLength);
            keptBlock.putBytes(0, headers, block, message.blockLength);
            kept.templateId = message.templateId;
            kept.blockLength = message.blockLength;
            kept.version = message.version;
            joiner = new PayloadJoiner(payloadLength, heap);
            joiner.append(frame, bodyPosition, inFrame);
        }
        return Math.max(inFrame, 0);
    }

    /** @param arrayLength the length of the array that begins here; 0 if none does */
    private void continuePayload(int bodyPosition, int inFrame, long arrayLength) {
        PayloadJoiner current = joiner;
        if (current == null || inFrame == 0 || inFrame > current.missing()) {
            fail("a segment of " + inFrame + " bytes that belongs to no payload");
            return;
        }
        if (arrayLength != 0) {
            if (arrayLength < inFrame || !current.canBeginArray(arrayLength)) {
                fail("an array of " + arrayLength + " bytes where " + current.missing() + " are missing");
                return;
            }
            current.beginArray((int) arrayLength);
        }
        current.append(frame, bodyPosition, inFrame);
        if (current.missing() == 0) {
            joiner = null;
            body.wrap(keptBlock, 0);
            hand(kept, keptBlock, 0, withSeal(current.toPayload()));
        }
    }

    /** Makes a buffer at least this long, with room for a slightly longer frame. */
    private static void makeRoom(UnsafeBuffer buffer, int length) {
        if (length > buffer.capacity()) {
            buffer.wrap(new byte[BitUtil.findNextPositivePowerOfTwo(length)]);
        }
    }

    private SealedPayload withSeal(Payload payload) {
        return payload.isNothing()
                ? SealedPayload.none()
                : new SealedPayload(payload, body.sealer(), body.sealCounter());
    }

    private void hand(Message arrived, UnsafeBuffer buffer, int block, SealedPayload payload) {
        arrived.buffer = buffer;
        arrived.offset = block;
        arrived.payload = payload;
        try {
            handler.accept(arrived);
        } catch (Message.TooShort e) {
            failBlock(arrived.templateId, MessageHeaderDecoder.SCHEMA_ID, arrived.blockLength);
        }
        // Otherwise the last payload of each link would stay in the heap until the link's next message arrives.
        arrived.payload = SealedPayload.none();
    }

    private void failBlock(int templateId, int schemaId, int length) {
        fail("a message " + templateId + " of schema " + schemaId + " and " + length + " bytes");
    }

    private void fail(String what) {
        fault = "The peer sent " + what + ".";
        close();
    }

    /** Accepts no more frames, and drops a partly received payload. */
    public void close() {
        closed = true;
        PayloadJoiner current = joiner;
        if (current != null) {
            current.drop();
            joiner = null;
        }
    }
}
