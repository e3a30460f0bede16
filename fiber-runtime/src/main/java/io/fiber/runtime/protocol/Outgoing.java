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
     * Returns what it belongs to, whose messages keep their order even if they {@linkplain #mayPass may pass} others. Nothing
     * passes a payload that belongs to nothing in particular, 0.
     */
    default long flow() {
        return 0;
    }

    /** Returns whether it may arrive before the rest of a large payload of another flow that was sent earlier. */
    default boolean mayPass() {
        return false;
    }

    /**
     * Writes message header and root block, but not the {@code Body}, which the {@link Outbox} writes.
     *
     * @param codecs encoders to wrap, shared by all messages of the thread
     */
    void encode(MutableDirectBuffer buffer, int offset, Encoders codecs);
}
