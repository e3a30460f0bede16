// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The AES-256-GCM key of one stream in one direction of one connection, with its cipher and the next frame's nonce.
 * Belongs to one sealer or opener.
 *
 * <p>The nonce is a fixed field of 4 bytes and a counter of 8 bytes, the deterministic construction of NIST SP 800-38D,
 * section 8.2.1, so no nonce is used twice. The key ends after 2<sup>48</sup> frames or 2<sup>44</sup> blocks of 16
 * bytes (256 TiB), whichever comes first. Section 8 allows 2<sup>64</sup> frames, but with 2<sup>44</sup> blocks the
 * advantage of an attacker that tells ciphertext from noise is still below 2<sup>-40</sup> (birthday bound on the
 * blocks of one AES key).
 */
final class FrameKey {

    /** The derived bytes: the AES key and the fixed field of the nonce. */
    static final int LENGTH_BYTES = 32 + 4;

    static final int TAG_BYTES = 16;
    static final long FRAME_LIMIT = 1L << 48;
    static final long BLOCK_LIMIT = 1L << 44;

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int BLOCK_BYTES = 16;

    private final SecretKeySpec key;
    private final Cipher cipher;
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    long frames;
    long blocks;

    FrameKey(byte[] derived) {
        this.key = new SecretKeySpec(derived, 0, KEY_BYTES, "AES");
        this.cipher = newCipher();
        nonce.put(derived, KEY_BYTES, LENGTH_BYTES - KEY_BYTES);
    }

    /** Returns the JDK's AES-GCM. */
    static Cipher newCipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This Java runtime has no AES/GCM/NoPadding, without which nothing can be sealed. Use a JDK whose"
                            + " module java.base is complete, or a provider that has this cipher.",
                    e);
        }
    }

    boolean isExhausted() {
        return frames >= FRAME_LIMIT || blocks >= BLOCK_LIMIT;
    }

    /** Prepares the cipher for the next frame and counts it. */
    Cipher next(int mode, int frameBytes) throws GeneralSecurityException {
        nonce.putLong(NONCE_BYTES - Long.BYTES, frames);
        frames++;
        // one block for the tag, and one for each of the two parts that may end in mid-block
        blocks += frameBytes / BLOCK_BYTES + 3;
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array()));
        return cipher;
    }
}
