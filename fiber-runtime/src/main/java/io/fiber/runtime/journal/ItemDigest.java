// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * The first 128 bits of the SHA-256 of a serialized item. Two different items of a journal share one with a chance below
 * 1 in 10<sup>20</sup>, even among a billion items.
 */
public record ItemDigest(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    /**
     * Returns the digest of an item.
     *
     * @param written ends with the item, which begins at {@code start}
     * @param code the code of the program on which the item depends
     * @param sha256 is used and reset
     */
    public static ItemDigest of(PayloadOutput written, long start, List<ClassStamp> code, MessageDigest sha256) {
        written.digest(start, sha256);
        for (ClassStamp stamp : code) {
            sha256.update(stamp.toString().getBytes(StandardCharsets.UTF_8));
        }
        return read(ByteBuffer.wrap(sha256.digest()));
    }

    static ItemDigest read(ByteBuffer from) {
        return new ItemDigest(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }
}
