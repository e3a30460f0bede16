// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import java.io.Serializable;

/**
 * The id of a value, the same in every process.
 *
 * @param hash the SHA-256 hash of its bytes, in hexadecimal digits
 * @param form the format in its file
 * @param sizeBytes the length of the file
 */
record ValueId(String hash, Form form, long sizeBytes) implements Serializable {

    private static final int HASH_CHARS = 64;

    ValueId {
        if (hash.length() != HASH_CHARS || !hash.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
            throw new IllegalArgumentException("'" + hash + "' is not the hash of a value.");
        }
    }

    /** Returns the name of its file. */
    String fileName() {
        return hash + "-" + form;
    }
}
