// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import org.agrona.DirectBuffer;

/**
 * A message that has arrived with its whole payload: a view that is valid only while it is handled, and then shows the
 * next one. The payload may be kept.
 */
public final class Message {

    DirectBuffer buffer;
    int templateId;
    int offset;
    int blockLength;
    int version;
    SealedPayload payload = SealedPayload.none();

    Message(DirectBuffer buffer) {
        this.buffer = buffer;
    }

    /** Returns which message it is. */
    public int templateId() {
        return templateId;
    }

    /** Returns the buffer that a decoder wraps. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Returns where the root block begins. */
    public int offset() {
        return offset;
    }

    /** Returns how long the root block is, as the sender's version has it. */
    public int blockLength() {
        return blockLength;
    }

    /** Returns the version of the sender's schema. */
    public int version() {
        return version;
    }

    /** Returns what it carries. */
    public SealedPayload payload() {
        return payload;
    }
}
