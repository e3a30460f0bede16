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

    ValueId {
        if (!hash.matches("\\p{XDigit}{64}")) {
            throw new IllegalArgumentException("'" + hash + "' is not the hash of a value.");
        }
    }

    /** Returns the name of its file. */
    String fileName() {
        return hash + "-" + form;
    }
}
