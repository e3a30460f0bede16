// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.PayloadOutput;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * The first 128 bits of the SHA-256 of a serialized item. Two different items of a journal share one with a chance below
 * 1 in 10<sup>20</sup>, even among a billion items.
 */
public record ItemDigest(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    /** Returns the digest of the item that begins at {@code start} of what was written; uses and resets {@code sha256}. */
    public static ItemDigest of(PayloadOutput written, long start, MessageDigest sha256) {
        written.digest(start, sha256);
        return read(ByteBuffer.wrap(sha256.digest()));
    }

    static ItemDigest read(ByteBuffer from) {
        return new ItemDigest(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }
}
