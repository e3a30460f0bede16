// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import org.agrona.MutableDirectBuffer;

/** A message that can be written into a frame. */
public interface Outgoing {

    /** Returns the length of message header and root block in bytes, the same at each call. */
    int headerLength();

    /** Returns the payload; {@link SealedPayload#none} for a message with a template id below 100. */
    default SealedPayload payload() {
        return SealedPayload.none();
    }

    /**
     * Writes message header and root block, but not the {@code Body}, which the {@link Outbox} writes.
     *
     * @param codecs encoders to wrap, shared by all messages of the thread
     */
    void encode(MutableDirectBuffer buffer, int offset, Encoders codecs);
}
