// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.HeaderSeal;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;

/**
 * Seals what one end sends on one stream and opens what arrives there, in order, each direction with a key of its own.
 * One thread at a time may seal, and one may open. Keeps nothing of a frame.
 *
 * <p>Every {@link #seal} uses up a number that the peer counts as well. Therefore a sealed frame must be offered
 * unchanged until it is accepted; it must be neither dropped nor sealed again. The first frame that is not the one the
 * peer sealed next, because it was changed, replayed, left out, cut or reordered, is rejected, and so is everything
 * after it.
 */
final class FrameSeal implements HeaderSeal {

    private static final int FIRST_SCRATCH_BYTES = 512;

    private final FrameKey sending;
    private final FrameKey receiving;
    private byte[] scratch = new byte[FIRST_SCRATCH_BYTES];
    private boolean refuses;

    FrameSeal(FrameKey sending, FrameKey receiving) {
        this.sending = sending;
        this.receiving = receiving;
    }

    @Override
    public int overheadBytes() {
        return FrameKey.TAG_BYTES;
    }

    @Override
    public boolean seal(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length - FrameKey.TAG_BYTES);
        if (sending.isExhausted()) {
            return false;
        }
        try {
            sending.next(Cipher.ENCRYPT_MODE, length + FrameKey.TAG_BYTES)
                    .doFinal(bytes, offset, length, bytes, offset);
            return true;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not seal a frame of " + length + " bytes.", e);
        }
    }

    @Override
    public boolean open(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        refuses = refuses || length < FrameKey.TAG_BYTES || receiving.isExhausted() || !decrypt(bytes, offset, length);
        return !refuses;
    }

    private boolean decrypt(byte[] bytes, int offset, int length) {
        if (scratch.length < length) {
            scratch = new byte[Math.max(length, scratch.length * 2)];
        }
        try {
            // not in place, because the JDK would then allocate a copy of the whole array
            int plainBytes = receiving.next(Cipher.DECRYPT_MODE, length).doFinal(bytes, offset, length, scratch, 0);
            System.arraycopy(scratch, 0, bytes, offset, plainBytes);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not open a frame of " + length + " bytes.", e);
        }
    }
}
