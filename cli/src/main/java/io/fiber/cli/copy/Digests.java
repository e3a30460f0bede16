// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest by which both halves compare a file. */
final class Digests {

    static final int BYTES = 32;

    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
