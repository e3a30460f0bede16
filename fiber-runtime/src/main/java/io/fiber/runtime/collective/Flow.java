// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;

/**
 * What one member sends to the next and takes from the one before in one operation of all members. Knows nothing of links and
 * waits for nothing. Belongs to one thread.
 */
interface Flow {

    /** Tells whether this member sends anything in the operation, as each does in most. */
    default boolean sends() {
        return true;
    }

    /** Tells whether this member receives anything in the operation, as each does in most. */
    default boolean receives() {
        return true;
    }

    /**
     * Returns how many bytes can leave now as one part; 0 when nothing can, before something arrives.
     *
     * @param room the greatest length of a part
     */
    int nextPart(int room);

    /** Returns how many bytes the message has of which the next part is the beginning. */
    long remaining();

    /** Writes the next part, as many bytes as {@code target} has room for, which is what {@link #nextPart} said. */
    void fill(ByteBuffer target);

    boolean hasSent();

    /**
     * Takes a part.
     *
     * @param remaining bytes of the message from this part on
     * @param content little endian
     * @throws IllegalStateException when it is none that can come now
     */
    void take(long remaining, ByteBuffer content);

    boolean hasReceived();
}
