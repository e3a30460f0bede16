// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;

/**
 * Opens the frames that arrive on one stream, in order. The first frame that is not the one the peer sealed next, whether
 * changed, replayed, left out, cut or out of order, is refused, and so is everything behind it. Belongs to one thread;
 * keeps nothing of a frame.
 */
public final class FrameOpener {

    /** Returned by {@link #open} when the frame was refused; the connection must be closed. */
    public static final int REFUSED = -1;

    /** Why frames are refused. */
    public enum Refusal {
        /** They are not. */
        NONE,
        /** A frame was not the one the peer sealed next: it was changed, replayed, reordered, or one was left out. */
        NOT_GENUINE,
        /** A frame was shorter than any sealed frame is. */
        TOO_SHORT,
        /** The key has come to its end. */
        KEY_EXHAUSTED
    }

    private static final int FIRST_SCRATCH_BYTES = 512;

    private final FrameKey key;
    private byte[] scratch = new byte[FIRST_SCRATCH_BYTES];
    private Refusal refusal = Refusal.NONE;

    FrameOpener(FrameKey key) {
        this.key = key;
    }

    /**
     * Opens a frame in place: what was unreadable begins at {@code offset + clearBytes} again.
     *
     * @param clearBytes the length of the readable part, as the sealer was told it
     * @param frameBytes the length of the sealed frame as it arrived, tag included
     * @return the length of what was unreadable, or {@link #REFUSED}; the content of a refused frame is undefined
     * @throws IndexOutOfBoundsException when the frame lies outside of {@code frame}
     */
    public int open(byte[] frame, int offset, int clearBytes, int frameBytes) {
        Objects.checkFromIndexSize(offset, frameBytes, frame.length);
        if (refusal != Refusal.NONE) {
            return REFUSED;
        }
        int secretBytes = frameBytes - clearBytes - FrameKey.TAG_BYTES;
        if (clearBytes < 0 || secretBytes < 0) {
            return refuse(Refusal.TOO_SHORT);
        }
        if (key.isExhausted()) {
            return refuse(Refusal.KEY_EXHAUSTED);
        }
        return decrypt(frame, offset, clearBytes, secretBytes);
    }

    /** Returns why frames are refused. */
    public Refusal refusal() {
        return refusal;
    }

    @Override
    public String toString() {
        return "FrameOpener[" + key + ", " + refusal + "]";
    }

    private int decrypt(byte[] frame, int offset, int clearBytes, int secretBytes) {
        int sealedBytes = secretBytes + FrameKey.TAG_BYTES;
        if (scratch.length < sealedBytes) {
            scratch = new byte[Math.max(sealedBytes, scratch.length * 2)];
        }
        try {
            Cipher cipher = key.next(Cipher.DECRYPT_MODE, clearBytes + sealedBytes);
            cipher.updateAAD(frame, offset, clearBytes);
            // not in place: the JDK would then allocate a copy of the whole array
            cipher.doFinal(frame, offset + clearBytes, sealedBytes, scratch, 0);
            System.arraycopy(scratch, 0, frame, offset + clearBytes, secretBytes);
            return secretBytes;
        } catch (AEADBadTagException e) {
            return refuse(Refusal.NOT_GENUINE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not open a frame of " + sealedBytes + " bytes.", e);
        }
    }

    private int refuse(Refusal why) {
        refusal = why;
        return REFUSED;
    }
}
