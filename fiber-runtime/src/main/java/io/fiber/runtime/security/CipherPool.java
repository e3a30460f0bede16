// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;

/**
 * Ciphers that are used again, as many as threads have needed at one time. Not a {@code ThreadLocal}: the user's threads
 * outlive the session, and its key would stay with them. Thread-safe, never blocks.
 */
final class CipherPool {

    private final ConcurrentLinkedQueue<Cipher> idle = new ConcurrentLinkedQueue<>();

    Cipher take() {
        Cipher cipher = idle.poll();
        return cipher == null ? AesGcm.newCipher() : cipher;
    }

    void giveBack(Cipher cipher) {
        idle.offer(cipher);
    }
}
