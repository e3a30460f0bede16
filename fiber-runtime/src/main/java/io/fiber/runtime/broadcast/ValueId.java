// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import java.io.Serializable;

/**
 * A value as every process names it.
 *
 * @param hash the SHA-256 hash of its bytes, in hexadecimal digits
 * @param form how it stands in its file
 * @param sizeBytes how long the file is
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
