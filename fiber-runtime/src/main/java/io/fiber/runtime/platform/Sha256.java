// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash function for names of files and classes and for derived keys. */
public final class Sha256 {

    private Sha256() {}

    /** Returns a new digest, which is not thread-safe. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
