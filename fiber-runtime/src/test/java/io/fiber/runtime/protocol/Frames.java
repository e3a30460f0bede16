// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BodyEncoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import io.fiber.runtime.protocol.codec.SegmentDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes frames by hand, right ones and wrong ones. */
public final class Frames {

    private final ByteArrayOutputStream headers = new ByteArrayOutputStream();
    private final ByteArrayOutputStream bodies = new ByteArrayOutputStream();

    /** Returns the frame of one message, unsealed. */
    public static byte[] of(Outgoing message) {
        return new Frames().add(message).toFrame();
    }

    /** Adds a message as it is sent. */
    public Frames add(Outgoing message) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[message.headerLength()]);
        message.encode(buffer, 0, new Encoders());
        SealedPayload payload = message.payload();
        if (message.headerLength() >= 32 && payload.length() > 0) {
            body(buffer, payload.length(), (int) payload.length(), payload);
            bodies.writeBytes(payload.bytes().toArray());
        }
        headers.writeBytes(buffer.byteArray());
        return this;
    }

    /** Adds a message with a body of which nothing needs to be true. */
    public Frames add(int templateId, int blockLength, long payloadLength, int inFrame, byte[] body) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + blockLength]);
        new MessageHeaderEncoder()
                .wrap(buffer, 0)
                .blockLength(blockLength)
                .templateId(templateId)
                .schemaId(MessageHeaderEncoder.SCHEMA_ID)
                .version(0);
        if (blockLength >= BodyEncoder.ENCODED_LENGTH) {
            body(buffer, payloadLength, inFrame, SealedPayload.none());
        }
        headers.writeBytes(buffer.byteArray());
        bodies.writeBytes(body);
        return this;
    }

    /** Adds a result with a body of which nothing needs to be true. */
    public Frames result(long payloadLength, int inFrame, byte[] body) {
        return add(ResultDecoder.TEMPLATE_ID, ResultDecoder.BLOCK_LENGTH, payloadLength, inFrame, body);
    }

    /** Adds a further part of a body. */
    public Frames segment(byte[] body) {
        return add(SegmentDecoder.TEMPLATE_ID, SegmentDecoder.BLOCK_LENGTH, 0, body.length, body);
    }

    private static void body(UnsafeBuffer buffer, long payloadLength, int inFrame, SealedPayload seal) {
        new BodyEncoder()
                .wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH)
                .payloadLength(payloadLength)
                .inFrame(inFrame)
                .sealer(seal.sealer())
                .sealCounter(seal.sealCounter());
    }

    /** Returns the frame, unsealed. */
    public byte[] toFrame() {
        return join(headers.toByteArray());
    }

    /** Returns the frame, sealed. */
    public byte[] toFrame(HeaderSeal seal) {
        byte[] sealed = java.util.Arrays.copyOf(headers.toByteArray(), headers.size() + seal.overheadBytes());
        seal.seal(sealed, 0, headers.size());
        return join(sealed);
    }

    private byte[] join(byte[] headerBytes) {
        return ByteBuffer.allocate(2 + headerBytes.length + bodies.size())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) headerBytes.length)
                .put(headerBytes)
                .put(bodies.toByteArray())
                .array();
    }
}
