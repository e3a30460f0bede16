// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash function that names files and classes and derives keys. */
public final class Sha256 {

    private Sha256() {}

    /** Returns a digest of its own for the caller; not thread-safe. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
