// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.spec.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.spec.SecretKeySpec;

/** The key that seals the payloads of one session. It shows nothing of itself. Immutable and thread-safe. */
public record PayloadKey(Secret secret) {

    public static final int LENGTH_BYTES = 32;

    public static PayloadKey random(SecureRandom random) {
        byte[] bytes = new byte[LENGTH_BYTES];
        random.nextBytes(bytes);
        return consume(bytes);
    }

    /** Returns the key for {@link #LENGTH_BYTES} bytes, which are overwritten. */
    static PayloadKey consume(byte[] bytes) {
        PayloadKey key = new PayloadKey(Secret.of(bytes));
        Arrays.fill(bytes, (byte) 0);
        return key;
    }

    SecretKeySpec aesKey() {
        return new SecretKeySpec(secret.copyBytes(), "AES");
    }
}
