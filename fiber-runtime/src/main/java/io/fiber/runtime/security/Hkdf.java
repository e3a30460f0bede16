// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.platform.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC-SHA256 (RFC 2104) and the key derivation that uses it (RFC 5869). Not thread-safe.
 *
 * <p>It uses {@link MessageDigest} and not {@code javax.crypto.Mac}: the first use of {@code javax.crypto} in a process
 * costs about 20 ms, which a worker on a confined link then avoids.
 */
final class Hkdf {

    /** The length of a hash, a proof and a derived key. */
    static final int HASH_BYTES = 32;

    static final int EXPAND_LIMIT_BYTES = 255 * HASH_BYTES;

    private static final int BLOCK_BYTES = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5c;

    private final MessageDigest digest = Sha256.newDigest();
    private final byte[] pad = new byte[BLOCK_BYTES];

    byte[] hash(byte[] bytes) {
        return digest.digest(bytes);
    }

    /** Returns the HMAC-SHA256 of the concatenated parts; with a salt, this is the extract step of RFC 5869. */
    byte[] mac(byte[] key, byte[]... parts) {
        byte[] shortKey = key.length > BLOCK_BYTES ? digest.digest(key) : key;
        begin(shortKey, INNER);
        for (byte[] part : parts) {
            digest.update(part);
        }
        byte[] inner = digest.digest();
        begin(shortKey, OUTER);
        digest.update(inner);
        Arrays.fill(pad, (byte) 0);
        return digest.digest();
    }

    /** Expands a pseudo-random key to {@code lengthBytes} bytes that belong to {@code info} only. */
    byte[] expand(byte[] key, byte[] info, int lengthBytes) {
        if (lengthBytes < 1 || lengthBytes > EXPAND_LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "HKDF gives 1 to " + EXPAND_LIMIT_BYTES + " bytes, " + lengthBytes + " were asked for.");
        }
        byte[] output = new byte[lengthBytes];
        byte[] counter = new byte[1];
        byte[] block = new byte[0];
        for (int done = 0; done < lengthBytes; done += HASH_BYTES) {
            counter[0]++;
            block = mac(key, block, info, counter);
            System.arraycopy(block, 0, output, done, Math.min(HASH_BYTES, lengthBytes - done));
        }
        return output;
    }

    private void begin(byte[] key, byte mask) {
        for (int i = 0; i < BLOCK_BYTES; i++) {
            pad[i] = i < key.length ? (byte) (key[i] ^ mask) : mask;
        }
        digest.update(pad);
    }
}
