// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Opens the payloads of a session, whichever of its processes sealed them. Thread-safe; does not block.
 */
public final class PayloadOpener {

    private final SecretKeySpec key;
    private final CipherPool ciphers = new CipherPool();

    /** Creates an opener for a session. */
    public PayloadOpener(PayloadKey payloadKey) {
        this.key = payloadKey.aesKey();
    }

    /**
     * Opens a payload whole; nothing of one that is not genuine is returned. The sealed bytes are only read.
     *
     * @param payload as it arrived, its sealer and counter inside a sealed frame
     * @throws SealException when the payload is not the one that its sealer sealed at this counter, it was changed, or it
     *     has no seal
     */
    public Payload open(SealedPayload payload) throws SealException {
        Payload sealed = payload.bytes();
        PayloadParts parts = new PayloadParts(payload.sealer(), payload.sealCounter(), plainBytes(payload));
        Cipher cipher = ciphers.take();
        try {
            return open(sealed, parts, cipher);
        } catch (AEADBadTagException e) {
            throw new SealException(
                    "The payload of " + sealed.length() + " bytes is not what process " + payload.sealer()
                            + " sealed under counter " + payload.sealCounter()
                            + ": it was changed, cut or mixed up on its way.",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not open a payload of " + sealed.length() + " bytes.", e);
        } finally {
            ciphers.giveBack(cipher);
        }
    }

    @Override
    public String toString() {
        return "PayloadOpener[]";
    }

    private static long plainBytes(SealedPayload payload) throws SealException {
        long sealedBytes = payload.length();
        long counter = payload.sealCounter();
        long count = Math.max(1, (sealedBytes + PayloadParts.SEALED_BYTES - 1) / PayloadParts.SEALED_BYTES);
        long plainBytes = sealedBytes - count * PayloadParts.TAG_BYTES;
        long lastBytes = plainBytes - (count - 1) * PayloadParts.PLAIN_BYTES;
        boolean isCut = lastBytes < 0 || (count > 1 && lastBytes == 0);
        boolean isNamed = payload.sealer() > 0 && counter >= 0 && counter <= PayloadSealer.LIMIT_PARTS - count;
        if (isCut || plainBytes > Payload.LIMIT_BYTES || !isNamed) {
            throw new SealException("A payload of " + sealedBytes + " bytes under counter " + counter + " of process "
                    + payload.sealer() + " cannot have been sealed by a process of this session; sealed ones hold 0 to "
                    + Payload.LIMIT_BYTES + " plain bytes and " + PayloadParts.TAG_BYTES + " for each part of "
                    + PayloadParts.PLAIN_BYTES + ".");
        }
        return plainBytes;
    }

    private Payload open(Payload sealed, PayloadParts parts, Cipher cipher) throws GeneralSecurityException {
        SegmentWalk walk = new SegmentWalk(sealed);
        List<byte[]> segments = new ArrayList<>();
        for (int first = 0; first < parts.count(); first = parts.endOfSegment(first)) {
            int end = parts.endOfSegment(first);
            byte[] segment = new byte[parts.plainBytes(first, end)];
            int written = 0;
            for (int index = first; index < end; index++) {
                int sealedBytes = parts.plainBytes(index) + PayloadParts.TAG_BYTES;
                byte[] source = walk.next(sealedBytes);
                cipher.init(Cipher.DECRYPT_MODE, key, parts.nonce(index));
                cipher.updateAAD(parts.bound(index));
                written += cipher.doFinal(source, walk.offset(), sealedBytes, segment, written);
            }
            segments.add(segment);
        }
        sealed.markRead();
        return Payload.of(segments);
    }
}
