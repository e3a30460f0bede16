// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.SealedPayload;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the payloads of one process with the session's payload key, and opens those of any process of the session. Does
 * not block. Thread-safe.
 *
 * <p>A payload is sealed in parts of 8 KiB. The nonce of a part is the number of the process and a counter. Therefore a
 * process must create only one of these for a session, and no two processes may ever have had the same number.
 */
final class PayloadSeal {

    /** How many plain bytes a process may seal: 256 TiB, the limit of {@link FrameKey}. */
    static final long LIMIT_BYTES = 1L << 48;

    static final long LIMIT_PARTS = 1L << 48;

    private final SecretKeySpec key;
    private final int number;
    final AtomicLong nextCounter = new AtomicLong();
    final AtomicLong sealedBytes = new AtomicLong();

    /**
     * Ciphers for reuse, as many as threads have needed at the same time. They are not in a {@code ThreadLocal},
     * because the user's threads outlive the session, and its key would stay with them.
     */
    private final ConcurrentLinkedQueue<Cipher> idleCiphers = new ConcurrentLinkedQueue<>();

    /**
     * Creates the seal of a process.
     *
     * @param number the number of the worker, or of the master; no other process of the session ever has it
     * @throws IllegalArgumentException if the number is negative, which stands for a payload without a seal
     */
    PayloadSeal(PayloadKey payloadKey, int number) {
        if (number < 0) {
            throw new IllegalArgumentException(
                    "Process " + number + " cannot seal; a process that seals has a number from 0 on.");
        }
        this.key = payloadKey.aesKey();
        this.number = number;
    }

    /**
     * Seals a payload. The payload is only read, and may be sealed again or sent elsewhere; the result may be sent any
     * number of times. Its sealer and counter must be sent inside a sealed frame, which binds the payload to the frame.
     *
     * @throws SealException if this process has reached its limit: 2<sup>48</sup> parts or 256 TiB
     */
    SealedPayload seal(Payload plain) throws SealException {
        long length = plain.length();
        int count = PayloadParts.count(length);
        long counter = nextCounter.getAndAdd(count);
        if (counter > LIMIT_PARTS - count || sealedBytes.addAndGet(length) > LIMIT_BYTES) {
            throw new SealException("Process " + number + " has sealed " + counter + " parts and "
                    + sealedBytes.get() + " bytes; a session's key is good for " + LIMIT_PARTS + " parts and "
                    + LIMIT_BYTES + " bytes of each process. Start a new session.");
        }
        try {
            PayloadParts parts = new PayloadParts(number, counter, length);
            return new SealedPayload(run(Cipher.ENCRYPT_MODE, plain, parts), number, counter);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not seal a payload of " + length + " bytes.", e);
        }
    }

    /**
     * Opens a complete payload. If it is not genuine, nothing of it is returned. The sealed bytes are only read.
     *
     * @param payload as it arrived, with its sealer and counter inside a sealed frame
     * @throws SealException if the payload is not the one that its sealer sealed at this counter, if it was changed, or
     *     if it has no seal
     */
    Payload open(SealedPayload payload) throws SealException {
        PayloadParts parts = new PayloadParts(payload.sealer(), payload.sealCounter(), plainBytes(payload));
        try {
            Payload plain = run(Cipher.DECRYPT_MODE, payload.bytes(), parts);
            payload.bytes().markRead();
            return plain;
        } catch (AEADBadTagException e) {
            throw new SealException(
                    "The payload of " + payload.length() + " bytes is not what process " + payload.sealer()
                            + " sealed under counter " + payload.sealCounter()
                            + ": it was changed, cut or mixed up on its way.",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not open a payload of " + payload.length() + " bytes.", e);
        }
    }

    private static long plainBytes(SealedPayload payload) throws SealException {
        long sealedBytes = payload.length();
        long counter = payload.sealCounter();
        long count = Math.max(1, (sealedBytes + PayloadParts.SEALED_BYTES - 1) / PayloadParts.SEALED_BYTES);
        long plainBytes = sealedBytes - count * PayloadParts.TAG_BYTES;
        long lastBytes = plainBytes - (count - 1) * PayloadParts.PLAIN_BYTES;
        boolean isCut = lastBytes < 0 || (count > 1 && lastBytes == 0);
        boolean isNamed = payload.isSealed() && counter >= 0 && counter <= LIMIT_PARTS - count;
        if (isCut || plainBytes > Payload.LIMIT_BYTES || !isNamed) {
            throw new SealException("A payload of " + sealedBytes + " bytes under counter " + counter + " of process "
                    + payload.sealer() + " cannot have been sealed by a process of this session; sealed ones hold 0 to "
                    + Payload.LIMIT_BYTES + " plain bytes and " + PayloadParts.TAG_BYTES + " for each part of "
                    + PayloadParts.PLAIN_BYTES + ".");
        }
        return plainBytes;
    }

    /** Runs the cipher over the parts, in either mode. */
    private Payload run(int mode, Payload source, PayloadParts parts) throws GeneralSecurityException {
        int tagBefore = mode == Cipher.DECRYPT_MODE ? PayloadParts.TAG_BYTES : 0;
        int tagAfter = PayloadParts.TAG_BYTES - tagBefore;
        Cipher idle = idleCiphers.poll();
        Cipher cipher = idle == null ? FrameKey.newCipher() : idle;
        try {
            PayloadInput in = source.open();
            List<byte[]> segments = new ArrayList<>();
            for (int first = 0; first < parts.count(); first = parts.endOfSegment(first)) {
                int end = parts.endOfSegment(first);
                byte[] segment = new byte[parts.plainBytes(first, end) + (end - first) * tagAfter];
                int written = 0;
                for (int index = first; index < end; index++) {
                    int bytes = parts.plainBytes(index) + tagBefore;
                    byte[] from = in.take(bytes);
                    cipher.init(mode, key, parts.nonce(index));
                    cipher.updateAAD(parts.bound(index));
                    written += cipher.doFinal(from, in.taken(), bytes, segment, written);
                }
                segments.add(segment);
            }
            return Payload.of(segments);
        } finally {
            idleCiphers.offer(cipher);
        }
    }
}
