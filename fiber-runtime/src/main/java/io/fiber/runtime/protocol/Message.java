// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import org.agrona.DirectBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * A message that has arrived with its whole payload. It is a view that is valid only while the message is handled, and
 * then shows the next one. The payload may be kept.
 */
public final class Message {

    DirectBuffer buffer;
    int templateId;
    int offset;
    int blockLength;
    int version;
    SealedPayload payload = SealedPayload.none();

    /** Thrown through the handler of a message to the {@link Inbox}, which treats it as a fault of the peer. */
    public static final class TooShort extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooShort() {
            super(null, null, false, false);
        }
    }

    Message(DirectBuffer buffer) {
        this.buffer = buffer;
    }

    public int templateId() {
        return templateId;
    }

    /**
     * Returns the decoder, set to the root block.
     *
     * @throws TooShort if the block is shorter than the decoder needs, which would make it read what stands behind
     */
    public <D extends MessageDecoderFlyweight> D as(D decoder) {
        if (blockLength < decoder.sbeBlockLength()) {
            throw new TooShort();
        }
        decoder.wrap(buffer, offset, blockLength, version);
        return decoder;
    }

    public SealedPayload payload() {
        return payload;
    }
}
