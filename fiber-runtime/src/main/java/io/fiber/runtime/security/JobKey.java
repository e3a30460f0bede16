// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.spec.Secret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The key that a master created for one job. Its holder is accepted as that job, once. Compares in constant time
 * and shows nothing of itself. Immutable and thread-safe.
 *
 * @param secret the bytes, only for the job's bootstrap
 */
public record JobKey(Secret secret) {

    public static final int LENGTH_BYTES = 32;

    /**
     * Checks the bytes, as a worker finds them in its bootstrap.
     *
     * @throws IllegalArgumentException if there are not {@value #LENGTH_BYTES}
     */
    public JobKey {
        if (secret.length() != LENGTH_BYTES) {
            throw new IllegalArgumentException("A job key of " + secret.length()
                    + " bytes came with the bootstrap; it must have " + LENGTH_BYTES
                    + ". Start the worker with the bootstrap its master wrote, unchanged.");
        }
    }

    /** Returns the key for a secret of any length that two programs share; {@code use} separates uses. */
    public static JobKey derived(Secret shared, String use) {
        Hkdf hkdf = new Hkdf();
        byte[] input = shared.copyBytes();
        byte[] extracted = hkdf.mac(new byte[Hkdf.HASH_BYTES], input);
        byte[] key = hkdf.expand(extracted, use.getBytes(StandardCharsets.UTF_8), LENGTH_BYTES);
        JobKey derived = new JobKey(Secret.of(key));
        Arrays.fill(input, (byte) 0);
        Arrays.fill(extracted, (byte) 0);
        Arrays.fill(key, (byte) 0);
        return derived;
    }

    public static JobKey random(SecureRandom random) {
        byte[] bytes = new byte[LENGTH_BYTES];
        random.nextBytes(bytes);
        JobKey key = new JobKey(Secret.of(bytes));
        Arrays.fill(bytes, (byte) 0);
        return key;
    }
}
