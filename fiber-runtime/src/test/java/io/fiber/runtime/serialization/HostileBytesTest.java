// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are, reading returns or says that they are damaged; an Error fails these tests. */
class HostileBytesTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void damagedValuesAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        List<byte[]> originals = originals();
        for (int round = 0; round < 5000; round++) {
            byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
            int changes = 1 + random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                bytes[random.nextInt(bytes.length)] = interesting(random);
            }
            readAll(bytes, seed, round);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void damagedObjectsInWholeFramesAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        List<byte[]> originals = originals();
        for (int round = 0; round < 5000; round++) {
            byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
            int body = bytes[0] == Tag.OBJECT ? 5 : 1;
            for (int i = 0; i < 2; i++) {
                bytes[body + random.nextInt(bytes.length - body)] = interesting(random);
            }
            readAll(bytes, seed, round);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void randomBytesAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[1 + random.nextInt(200)];
            random.nextBytes(bytes);
            bytes[0] = (byte) random.nextInt(Tag.OBJECT + 2);
            readAll(bytes, seed, round);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {31})
    void damagedFailuresAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        PayloadOutput out = new PayloadOutput();
        FailureCodec codec = new FailureCodec(Serializing.serializer(), Side.WORKER);
        codec.write(new IllegalStateException("x", new RuntimeException("y")), out);
        byte[] original = out.toPayload().toArray();
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = original.clone();
            bytes[random.nextInt(bytes.length)] = interesting(random);
            bytes[random.nextInt(Math.min(64, bytes.length))] = interesting(random);
            try {
                assertThat(codec.read(Payload.of(bytes).open())).isNotNull();
            } catch (SerializationException refused) {
                assertThat(refused.code()).isEqualTo("FBR-206");
            }
        }
    }

    private static void readAll(byte[] bytes, long seed, int round) {
        PayloadInput in = Payload.of(bytes).open();
        ValueCodec codec = Serializing.on(Side.WORKER);
        try {
            while (in.remaining() > 0) {
                codec.read(in);
            }
        } catch (SerializationException refused) {
            assertThat(refused.code()).isBetween("FBR-202", "FBR-206");
        } catch (Throwable other) {
            throw new AssertionError("seed " + seed + ", round " + round, other);
        }
    }

    private static byte interesting(Random random) {
        int[] values = {0, 1, -1, 0x7F, -128, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x77, 0x78, 0x7B, 0x7D};
        return (byte) (random.nextBoolean() ? values[random.nextInt(values.length)] : random.nextInt());
    }

    private static List<byte[]> originals() {
        Map<String, Object> map = new HashMap<>(Map.of("a", 1, "b", List.of(1, 2), "c", new int[] {1, 2, 3}));
        Function<Integer, Object> lambda = (Function<Integer, Object> & Serializable) x -> map.get("a" + x);
        IdentityHashMap<String, String> identities = new IdentityHashMap<>();
        identities.put("k", "v");
        List<Object> values = new ArrayList<>(List.of(
                map,
                lambda,
                new HashSet<>(List.of(1, 2, 3)),
                new ArrayDeque<>(List.of(1, 2)),
                new PriorityQueue<>(List.of(3, 1, 2)),
                identities,
                new ConcurrentHashMap<>(Map.of(1, 2)),
                new Object[] {new long[] {1, 2}, new String[] {"x", "y"}, TimeUnit.DAYS, String.class},
                new JavaSerializerTest.Point(1, 2, "p"),
                JavaSerializerTest.Colour.GREEN,
                new BigDecimal("12345678901234567890.5"),
                Instant.EPOCH,
                BitSet.valueOf(new long[] {5, 6}),
                new IllegalStateException("x"),
                "grüße €",
                "latin",
                new double[] {1, 2, 3},
                new char[] {'a', 'b'}));
        return values.stream()
                .map(value -> Serializing.written(value).toArray())
                .toList();
    }
}
