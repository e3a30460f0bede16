// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import java.nio.ByteBuffer;

/**
 * The first 128 bits of the SHA-256 of a serialized item. Two different items of a journal share one with a chance below
 * 1 in 10<sup>20</sup>, even among a billion items.
 */
public record ItemDigest(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    /** Returns the beginning of a SHA-256. */
    public static ItemDigest of(byte[] sha256) {
        return read(ByteBuffer.wrap(sha256));
    }

    static ItemDigest read(ByteBuffer from) {
        return new ItemDigest(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }
}
