// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the payloads of one process under the session's payload key. Thread-safe; does not block.
 *
 * <p>A payload is sealed in parts of 8 KiB. The nonce of a part is the number of the process and a counter, so a process
 * must make one sealer for a session and no more, and no two processes may ever have had the same number.
 */
public final class PayloadSealer {

    /** How many plain bytes a process may seal: 256 TiB, the bound of {@link FrameKey}. */
    static final long LIMIT_BYTES = 1L << 48;

    /** How many parts a process may seal. */
    static final long LIMIT_PARTS = 1L << 48;

    private final SecretKeySpec key;
    private final int processNumber;
    private final CipherPool ciphers = new CipherPool();
    private final AtomicLong nextCounter;
    private final AtomicLong sealedBytes;

    /**
     * Creates the sealer of a process.
     *
     * @param processNumber above 0, unique among all processes that the session ever has
     * @throws IllegalArgumentException when the number is 0, which stands for a payload without a seal, or below
     */
    public PayloadSealer(PayloadKey payloadKey, int processNumber) {
        this(payloadKey, processNumber, 0, 0);
    }

    /** Creates a sealer late in its life, for tests of its end. */
    PayloadSealer(PayloadKey payloadKey, int processNumber, long partsDone, long bytesDone) {
        if (processNumber <= 0) {
            throw new IllegalArgumentException(
                    "Process " + processNumber + " cannot seal; a process that seals has a number above 0.");
        }
        this.key = payloadKey.aesKey();
        this.processNumber = processNumber;
        this.nextCounter = new AtomicLong(partsDone);
        this.sealedBytes = new AtomicLong(bytesDone);
    }

    /**
     * Seals a payload. It is only read, and may be sealed again or sent elsewhere; what is returned may be sent any
     * number of times. Its sealer and counter must travel inside a sealed frame: so the frame binds its payload.
     *
     * @throws SealException when this process has sealed all it may: 2<sup>48</sup> parts or 256 TiB
     */
    public SealedPayload seal(Payload plain) throws SealException {
        long length = plain.length();
        int count = PayloadParts.count(length);
        long counter = nextCounter.getAndAdd(count);
        if (counter > LIMIT_PARTS - count || sealedBytes.addAndGet(length) > LIMIT_BYTES) {
            throw new SealException("Process " + processNumber + " has sealed " + counter + " parts and "
                    + sealedBytes.get() + " bytes; a session's key is good for " + LIMIT_PARTS + " parts and "
                    + LIMIT_BYTES + " bytes of each process. Start a new session.");
        }
        PayloadParts parts = new PayloadParts(processNumber, counter, length);
        Cipher cipher = ciphers.take();
        try {
            return new SealedPayload(seal(plain, parts, cipher), processNumber, counter);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM did not seal a payload of " + length + " bytes.", e);
        } finally {
            ciphers.giveBack(cipher);
        }
    }

    @Override
    public String toString() {
        return "PayloadSealer[process " + processNumber + ", " + nextCounter + " parts]";
    }

    private Payload seal(Payload plain, PayloadParts parts, Cipher cipher) throws GeneralSecurityException {
        SegmentWalk walk = new SegmentWalk(plain);
        List<byte[]> segments = new ArrayList<>();
        for (int first = 0; first < parts.count(); first = parts.endOfSegment(first)) {
            int end = parts.endOfSegment(first);
            byte[] segment = new byte[parts.plainBytes(first, end) + (end - first) * PayloadParts.TAG_BYTES];
            int written = 0;
            for (int index = first; index < end; index++) {
                int plainBytes = parts.plainBytes(index);
                byte[] source = walk.next(plainBytes);
                cipher.init(Cipher.ENCRYPT_MODE, key, parts.nonce(index));
                cipher.updateAAD(parts.bound(index));
                written += cipher.doFinal(source, walk.offset(), plainBytes, segment, written);
            }
            segments.add(segment);
        }
        return Payload.of(segments);
    }
}
