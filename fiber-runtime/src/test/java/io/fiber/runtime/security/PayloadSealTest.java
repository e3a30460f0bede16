// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadSealTest {

    private static final int MIB = 1 << 20;
    private static final int PART = PayloadParts.PLAIN_BYTES;

    private final PayloadKey key = PayloadKey.random(new SecureRandom());
    private final PayloadSeal sealer = new PayloadSeal(key, 3);
    private final PayloadSeal opener = new PayloadSeal(key, 7);

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                15,
                16,
                255,
                256,
                257,
                1_000,
                PART - 1,
                PART,
                PART + 1,
                3 * PART,
                MIB - 1,
                MIB,
                MIB + 1,
                2 * MIB,
                5 * MIB + 17
            })
    void payloadsOfAnyLengthComeBack(int length) throws SealException {
        byte[] bytes = noise(length);
        Payload plain = written(bytes);
        SealedPayload payload = sealer.seal(plain);

        assertThat(payload.length()).isEqualTo(length + 16L * Math.max(1, (length + PART - 1) / PART));
        assertThat(payload.sealer()).isEqualTo(3);
        assertThat(bytesOf(opener.open(payload))).isEqualTo(bytes);
        assertThat(bytesOf(opener.open(new SealedPayload(cut(payload.bytes(), 1_391), 3, payload.sealCounter()))))
                .isEqualTo(bytes);
        assertThat(bytesOf(opener.open(new SealedPayload(cut(payload.bytes(), 3 * MIB), 3, payload.sealCounter()))))
                .isEqualTo(bytes);
    }

    @Test
    void sealingAndOpeningLeaveTheirInputAsItWas() throws SealException {
        byte[] bytes = noise(3 * MIB);
        Payload plain = written(bytes);
        SealedPayload first = sealer.seal(plain);
        byte[] sealed = bytesOf(first.bytes());
        opener.open(first);

        assertThat(bytesOf(plain)).isEqualTo(bytes);
        assertThat(bytesOf(first.bytes())).isEqualTo(sealed);
        assertThat(bytesOf(opener.open(first))).isEqualTo(bytes);
        assertThat(bytesOf(opener.open(sealer.seal(plain)))).isEqualTo(bytes);
    }

    @Test
    void theSamePayloadIsSealedDifferentlyEachTime() throws SealException {
        Payload plain = written(noise(100));
        SealedPayload first = sealer.seal(plain);
        SealedPayload second = sealer.seal(plain);

        assertThat(bytesOf(first.bytes())).isNotEqualTo(bytesOf(second.bytes()));
        assertThat(second.sealCounter()).isEqualTo(first.sealCounter() + 1);
    }

    @Test
    void eachPartTakesACounter() throws SealException {
        assertThat(sealer.seal(written(noise(2 * PART + 1))).sealCounter()).isZero();
        assertThat(sealer.seal(Payload.empty()).sealCounter()).isEqualTo(3);
        assertThat(sealer.seal(written(noise(PART))).sealCounter()).isEqualTo(4);
        assertThat(sealer.seal(written(noise(1))).sealCounter()).isEqualTo(5);
    }

    @Test
    void manyThreadsNeverShareACounter() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Set<Long> counters = ConcurrentHashMap.newKeySet();
        try {
            Callable<Void> work = () -> {
                for (int i = 0; i < 500; i++) {
                    byte[] bytes = noise(i);
                    SealedPayload payload = sealer.seal(written(bytes));
                    assertThat(counters.add(payload.sealCounter())).isTrue();
                    assertThat(bytesOf(opener.open(payload))).isEqualTo(bytes);
                }
                return null;
            };
            for (Future<Void> one : threads.invokeAll(Collections.nCopies(4, work))) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counters).hasSize(2_000);
    }

    @Test
    void aFlippedBitInAnyByteIsRefused() throws SealException {
        SealedPayload payload = sealer.seal(written(noise(50)));
        byte[] sealed = bytesOf(payload.bytes());
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            assertRefused(Payload.of(changed), payload);
        }
        assertThat(opener.open(payload).length()).isEqualTo(50);
    }

    @Test
    void aRefusalSaysWhatWasExpected() throws SealException {
        SealedPayload payload = sealer.seal(written(noise(50)));
        assertThatThrownBy(() -> opener.open(new SealedPayload(payload.bytes(), 3, 1)))
                .isInstanceOf(SealException.class)
                .hasMessage("The payload of 66 bytes is not what process 3 sealed under counter 1:"
                        + " it was changed, cut or mixed up on its way.");
        assertThatThrownBy(() -> opener.open(new SealedPayload(Payload.of(new byte[15]), 3, 0)))
                .isInstanceOf(SealException.class)
                .hasMessage("A payload of 15 bytes under counter 0 of process 3 cannot have been sealed by a process"
                        + " of this session; sealed ones hold 0 to 2147483648 plain bytes and 16 for each part of"
                        + " 8192.");
    }

    @Test
    void aPayloadWithoutASealIsRefused() {
        assertThatThrownBy(() -> opener.open(SealedPayload.open(written(noise(50)))))
                .isInstanceOf(SealException.class);
        assertThatThrownBy(() -> opener.open(SealedPayload.none())).isInstanceOf(SealException.class);
    }

    @Test
    void anotherKeyIsRefused() throws SealException {
        SealedPayload payload = new PayloadSeal(PayloadKey.random(new SecureRandom()), 3).seal(written(noise(50)));
        assertRefused(payload.bytes(), payload);
    }

    @Test
    void thePayloadOfAnotherProcessOrCounterIsRefused() throws SealException {
        SealedPayload mine = sealer.seal(written(noise(50)));
        SealedPayload next = sealer.seal(written(noise(50)));
        SealedPayload others = new PayloadSeal(key, 4).seal(written(noise(50)));
        assertRefused(others.bytes(), mine);
        assertRefused(next.bytes(), mine);
        assertRefused(mine.bytes(), new SealedPayload(mine.bytes(), 3, -1));
        assertRefused(mine.bytes(), new SealedPayload(mine.bytes(), 3, Long.MAX_VALUE));
        assertRefused(mine.bytes(), new SealedPayload(mine.bytes(), -3, 0));
    }

    @Test
    void partsThatAreSwappedLeftOutOrAddedAreRefused() throws SealException {
        SealedPayload payload = sealer.seal(written(noise(3 * PART)));
        List<byte[]> parts = parts(payload);
        assertThat(parts).hasSize(3);

        assertRefused(Payload.of(List.of(parts.get(1), parts.get(0), parts.get(2))), payload);
        assertRefused(Payload.of(List.of(parts.get(0), parts.get(1))), payload);
        assertRefused(Payload.of(List.of(parts.get(1), parts.get(2))), payload);
        assertRefused(Payload.of(List.of(parts.get(0), parts.get(1), parts.get(2), parts.get(2))), payload);
        assertRefused(Payload.of(List.of(parts.get(0), parts.get(0), parts.get(2))), payload);
        assertThat(opener.open(payload).length()).isEqualTo(3L * PART);
    }

    @Test
    void partsOfTwoPayloadsDoNotMix() throws SealException {
        SealedPayload one = sealer.seal(written(noise(2 * PART)));
        SealedPayload two = sealer.seal(written(noise(2 * PART)));
        List<byte[]> first = parts(one);
        List<byte[]> second = parts(two);

        assertRefused(Payload.of(List.of(first.get(0), second.get(1))), one);
        // the last part of one and the first of two have neighbouring counters
        assertRefused(Payload.of(List.of(first.get(1), second.get(0))), new SealedPayload(one.bytes(), 3, 1));
    }

    @Test
    void aPayloadCutAtAnyPlaceIsRefused() throws SealException {
        SealedPayload payload = sealer.seal(written(noise(PART + 100)));
        byte[] sealed = bytesOf(payload.bytes());
        for (int length :
                new int[] {0, 1, 15, 16, 17, PART, PART + 15, PART + 16, PART + 17, PART + 32, sealed.length - 1}) {
            assertRefused(Payload.of(Arrays.copyOf(sealed, length)), payload);
        }
        assertRefused(Payload.of(Arrays.copyOf(sealed, sealed.length + 1)), payload);
    }

    @Test
    void aProcessSealsNoMoreThanItsKeyIsGoodFor() throws SealException {
        PayloadSeal lastParts = new PayloadSeal(key, 5);
        lastParts.nextCounter.set(PayloadSeal.LIMIT_PARTS - 1);
        assertThat(opener.open(lastParts.seal(written(noise(9)))).length()).isEqualTo(9);
        assertThatThrownBy(() -> lastParts.seal(written(noise(9))))
                .isInstanceOf(SealException.class)
                .hasMessage("Process 5 has sealed 281474976710656 parts and 9 bytes; a session's key is good for"
                        + " 281474976710656 parts and 281474976710656 bytes of each process. Start a new session.");

        PayloadSeal lastBytes = new PayloadSeal(key, 6);
        lastBytes.sealedBytes.set(PayloadSeal.LIMIT_BYTES - 5);
        assertThatThrownBy(() -> lastBytes.seal(written(noise(9)))).isInstanceOf(SealException.class);
    }

    @Test
    void negativeNumberCannotSeal() {
        assertThatThrownBy(() -> new PayloadSeal(key, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Process -1 cannot seal; a process that seals has a number from 0 on.");
    }

    private void assertRefused(Payload payload, SealedPayload as) {
        assertThatThrownBy(() -> opener.open(new SealedPayload(payload, as.sealer(), as.sealCounter())))
                .isInstanceOf(SealException.class);
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Payload written(byte[] bytes) {
        PayloadOutput output = new PayloadOutput();
        output.write(bytes, 0, bytes.length);
        return output.toPayload();
    }

    /** Returns the same bytes in segments of another length, as a transport may join them. */
    private static Payload cut(Payload payload, int segmentBytes) {
        byte[] all = bytesOf(payload);
        List<byte[]> segments = new ArrayList<>();
        for (int from = 0; from < all.length; from += segmentBytes) {
            segments.add(Arrays.copyOfRange(all, from, Math.min(all.length, from + segmentBytes)));
        }
        return Payload.of(segments);
    }

    private static List<byte[]> parts(SealedPayload payload) {
        return cut(payload.bytes(), PART + PayloadParts.TAG_BYTES).segments();
    }

    private static byte[] bytesOf(Payload payload) {
        return payload.toArray().clone();
    }
}
