// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.security.HandshakeTerms.Exposure;
import java.security.SecureRandom;

/**
 * Loads what a link of some exposure will need of the JDK's cryptography, so that a worker can have it done by a second
 * thread while its transport connects: the first hash and random bytes of a process take about 15 to 25 ms, the first
 * cipher as much again. Without it everything works, later.
 */
public final class CryptoPreload implements Runnable {

    private final Exposure exposure;
    private final SecureRandom random;

    /**
     * Creates a preload that has not run.
     *
     * @param exposure {@link Exposure#CONFINED} leaves ciphers out
     * @param random the source that the handshake will use
     */
    public CryptoPreload(Exposure exposure, SecureRandom random) {
        this.exposure = exposure;
        this.random = random;
    }

    @Override
    public void run() {
        byte[] bytes = new byte[FrameKey.LENGTH_BYTES];
        random.nextBytes(bytes);
        new Hkdf().hash(bytes);
        if (exposure == Exposure.OPEN) {
            // sealed and thrown away with its random key
            new FrameSealer(new FrameKey(bytes)).seal(new byte[FrameSealer.TAG_BYTES], 0, 0, 0);
        }
    }
}
