// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;

/**
 * What one member sends to the next and receives from the previous one in a collective operation. It knows nothing
 * about links and never waits. Not thread-safe.
 */
interface Flow {

    /** Returns whether this member sends anything in the operation; true for most. */
    default boolean sends() {
        return true;
    }

    /** Returns whether this member receives anything in the operation; true for most. */
    default boolean receives() {
        return true;
    }

    /**
     * Returns how many bytes can be sent now as one part; 0 if something must arrive first.
     *
     * @param room the maximum length of a part
     */
    int nextPart(int room);

    /** Returns how many bytes are left of the message that begins with the next part. */
    long remaining();

    /** Writes the next part: as many bytes as {@code target} has room for, which is the result of {@link #nextPart}. */
    void fill(ByteBuffer target);

    boolean hasSent();

    /**
     * Receives a part.
     *
     * @param remaining bytes of the message from this part on
     * @param content little endian
     * @throws IllegalStateException if such a part is not expected now
     */
    void take(long remaining, ByteBuffer content);

    boolean hasReceived();
}
