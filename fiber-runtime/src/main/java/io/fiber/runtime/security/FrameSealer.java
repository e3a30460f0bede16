// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.Cipher;

/**
 * Seals the frames that one end sends on one stream, in order. Belongs to one thread; keeps nothing of a frame.
 *
 * <p>Every call uses up a number that the peer counts along. A frame that was sealed must therefore be offered until it is
 * accepted, as it is: it must not be dropped, and not be sealed again.
 */
public final class FrameSealer {

    /** What sealing adds to the length of a frame. */
    public static final int TAG_BYTES = FrameKey.TAG_BYTES;

    /** Returned by {@link #seal} when the key has come to its end. */
    public static final int REFUSED = -1;

    private final FrameKey key;

    FrameSealer(FrameKey key) {
        this.key = key;
    }

    /**
     * Seals a frame in place: {@code clearBytes} that stay readable but cannot be changed unseen, then
     * {@code secretBytes} that become unreadable, then {@link #TAG_BYTES} that must be free.
     *
     * @return the length of the sealed frame, or {@link #REFUSED} after 2<sup>48</sup> frames or 256 TiB: the connection
     *     must be closed, a new one has a new key
     * @throws IndexOutOfBoundsException when the frame and its tag do not fit into {@code frame}
     */
    public int seal(byte[] frame, int offset, int clearBytes, int secretBytes) {
        int sealedBytes = Math.addExact(Math.addExact(clearBytes, secretBytes), TAG_BYTES);
        Objects.checkFromIndexSize(offset, sealedBytes, frame.length);
        Objects.checkFromIndexSize(0, clearBytes, sealedBytes - TAG_BYTES);
        if (key.isExhausted()) {
            return REFUSED;
        }
        try {
            Cipher cipher = key.next(Cipher.ENCRYPT_MODE, sealedBytes);
            cipher.updateAAD(frame, offset, clearBytes);
            int secretOffset = offset + clearBytes;
            cipher.doFinal(frame, secretOffset, secretBytes, frame, secretOffset);
            return sealedBytes;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not seal a frame of " + sealedBytes + " bytes.", e);
        }
    }

    @Override
    public String toString() {
        return "FrameSealer[" + key + "]";
    }
}
