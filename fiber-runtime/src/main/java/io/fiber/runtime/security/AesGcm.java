// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/** AES-256-GCM as the JDK has it. */
final class AesGcm {

    private AesGcm() {}

    static Cipher newCipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This Java runtime has no AES/GCM/NoPadding, without which nothing can be sealed. Use a JDK with the"
                            + " module java.base complete, or a provider that has it.",
                    e);
        }
    }

    static void putInt(byte[] target, int offset, int value) {
        target[offset] = (byte) (value >>> 24);
        target[offset + 1] = (byte) (value >>> 16);
        target[offset + 2] = (byte) (value >>> 8);
        target[offset + 3] = (byte) value;
    }

    static void putLong(byte[] target, int offset, long value) {
        putInt(target, offset, (int) (value >>> 32));
        putInt(target, offset + 4, (int) value);
    }
}
