// SPDX-License-Identifier: Apache-2.0
package io.fiber.spec;

import static java.util.Objects.requireNonNull;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Bytes that must stay secret: they never appear in a {@code toString}, log, command line, environment or job record.
 * Immutable and thread-safe.
 */
public final class Secret {

    private static final Secret EMPTY = new Secret(new byte[0]);

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns a secret with a copy of {@code bytes}. */
    public static Secret of(byte[] bytes) {
        return new Secret(requireNonNull(bytes, "bytes").clone());
    }

    /** Returns an empty secret, for a job that needs none. */
    public static Secret empty() {
        return EMPTY;
    }

    /** Returns a copy of the bytes. The caller owns it and should overwrite it after use. */
    public byte[] copyBytes() {
        return bytes.clone();
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Compares in constant time, so that the duration does not tell where the bytes differ. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns a text that contains only the length. */
    @Override
    public String toString() {
        return "Secret[" + bytes.length + " bytes]";
    }
}
