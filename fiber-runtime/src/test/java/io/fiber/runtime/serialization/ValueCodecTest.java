// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueCodecTest {

    private final ValueCodec codec = Serializing.on(Side.MASTER);

    /** Ends the test when it is read. */
    private static final class Unreadable implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) {
            throw new AssertionError("it was deserialized");
        }
    }

    @Test
    void valuesThatAreSkippedAreNotDeserialized() {
        PayloadOutput out = new PayloadOutput();
        List<Object> values = List.of(new Unreadable(), "text", 7, new int[] {1, 2}, List.of(new Unreadable()));
        values.forEach(value -> codec.write(value, out));
        codec.write("next", out);
        PayloadInput in = out.toPayload().open();

        values.forEach(value -> codec.skip(in, ValueName.VALUE));

        assertThat(codec.read(in)).isEqualTo("next");
        assertThat(in.remaining()).isZero();
    }

    @Test
    void valuesOfAllKindsComeBackOneBehindTheOther() {
        List<Object> values = new ArrayList<>(Arrays.asList(
                null,
                true,
                false,
                (byte) -7,
                Byte.MAX_VALUE,
                (short) -30_000,
                Short.MAX_VALUE,
                'ß',
                '\uFFFF',
                0,
                -1,
                63,
                64,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE,
                0L,
                -65L,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                1.5f,
                Float.NaN,
                -0.0,
                Double.MIN_VALUE,
                Double.NEGATIVE_INFINITY,
                "",
                "plain",
                "\u0000\u00FF",
                "grüße €",
                "\uD83D\uDE80",
                "\uDE80 alone \uD83D",
                List.of(1, 2, 3),
                Map.of("a", BigDecimal.TEN),
                DayOfWeek.MONDAY,
                new ArrayList<>(List.of("x"))));
        PayloadOutput out = new PayloadOutput();
        values.forEach(value -> codec.write(value, out));
        PayloadInput in = out.toPayload().open();

        for (Object value : values) {
            assertThat(codec.read(in)).isEqualTo(value);
        }
        assertThat(in.remaining()).isZero();
    }

    @Test
    void intsAreReadUpToTheFirstValueThatIsNone() {
        PayloadOutput out = new PayloadOutput();
        List<Object> values = List.of(1, Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 2L, 3);
        values.forEach(value -> codec.write(value, out));
        PayloadInput in = out.toPayload().open();
        int[] target = new int[6];

        assertThat(codec.readInts(in, target, 1, 2, ValueName.VALUE)).isEqualTo(2);
        assertThat(codec.readInts(in, target, 3, 3, ValueName.VALUE)).isEqualTo(2);
        assertThat(target).containsExactly(0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 0);
        assertThat(codec.readInts(in, target, 5, 1, ValueName.VALUE)).isZero();
        assertThat(codec.read(in)).isEqualTo(2L);
        assertThat(codec.readInts(in, target, 5, 9, ValueName.VALUE)).isEqualTo(1);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void aDamagedIntIsNamedByItsPlace() {
        PayloadOutput out = new PayloadOutput();
        codec.write(1, out);
        out.write(Tag.INTEGER);
        out.writeVarLong(1L << 32);

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(
                        () -> codec.readInts(out.toPayload().open(), new int[9], 7, 2, new ValueName("result", "map")))
                .withMessageStartingWith("FBR-206 Cannot read result 8 of map on the master: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 1023, 1024, 1025, 4097, 300_001})
    void arraysOfPrimitivesComeBackAtAnyLength(int length) {
        Random random = new Random(length);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        boolean[] booleans = new boolean[length];
        short[] shorts = new short[length];
        char[] chars = new char[length];
        float[] floats = new float[length];
        for (int i = 0; i < length; i++) {
            booleans[i] = random.nextBoolean();
            shorts[i] = (short) random.nextInt();
            chars[i] = (char) random.nextInt();
            floats[i] = Float.intBitsToFloat(random.nextInt(0x7F80_0000));
        }
        Object[] arrays = {
            bytes,
            booleans,
            shorts,
            chars,
            random.ints(length).toArray(),
            random.longs(length).toArray(),
            floats,
            random.doubles(length).toArray(),
            new String(chars)
        };
        PayloadOutput out = new PayloadOutput();
        for (Object array : arrays) {
            codec.write(array, out);
        }
        PayloadInput in = out.toPayload().open();

        for (Object array : arrays) {
            assertThat(codec.read(in)).isEqualTo(array);
        }
        assertThat(in.remaining()).isZero();
    }

    @Test
    void smallNumbersTakeTwoBytesAndArraysLittleMoreThanTheirElements() {
        assertThat(Serializing.written(null).length()).isEqualTo(1);
        assertThat(Serializing.written(true).length()).isEqualTo(1);
        assertThat(Serializing.written(63).length()).isEqualTo(2);
        assertThat(Serializing.written(-64).length()).isEqualTo(2);
        assertThat(Serializing.written(64).length()).isEqualTo(3);
        assertThat(Serializing.written(-64L).length()).isEqualTo(2);
        assertThat(Serializing.written(Integer.MIN_VALUE).length()).isEqualTo(6);
        assertThat(Serializing.written(0.1).length()).isEqualTo(9);
        assertThat(Serializing.written("abc").length()).isEqualTo(5);
        assertThat(Serializing.written(new double[100]).length()).isEqualTo(802);
    }

    @Test
    void aGreatArrayIsCopiedOnceWhenWrittenAndOnceWhenRead() {
        byte[] bytes = new byte[64 << 20];
        new Random(1).nextBytes(bytes);
        PayloadOutput out = new PayloadOutput();
        long before = allocatedBytes();
        codec.write(bytes, out);
        Payload payload = out.toPayload();
        long written = allocatedBytes();
        Object back = codec.read(payload.open());
        long read = allocatedBytes();

        assertThat(written - before).isBetween(64L << 20, 67L << 20);
        assertThat(read - written).isBetween(64L << 20, 65L << 20);
        assertThat(back).isEqualTo(bytes);
    }

    @Test
    void aValueThatCannotBeWrittenLeavesTheOutputAsItWas() {
        PayloadOutput out = new PayloadOutput();
        codec.write("before", out);
        long length = out.length();

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> codec.write(List.of("x".repeat(10_000), Optional.empty()), out));
        assertThat(out.length()).isEqualTo(length);
        codec.write("after", out);
        PayloadInput in = out.toPayload().open();
        assertThat(codec.read(in)).isEqualTo("before");
        assertThat(codec.read(in)).isEqualTo("after");
    }

    @Test
    void aValueThatCannotBeReadIsSkipped() throws Exception {
        PayloadOutput out = new PayloadOutput();
        codec.write(java.net.URI.create("http://localhost/").toURL(), out);
        codec.write("after", out);
        PayloadInput in = out.toPayload().open();

        assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> codec.read(in));
        assertThat(codec.read(in)).isEqualTo("after");
    }

    @Test
    void lengthsAreCheckedAgainstWhatIsLeftBeforeAnythingIsAllocated() {
        for (int tag = Tag.LATIN1_STRING; tag <= Tag.DOUBLES; tag++) {
            for (long length :
                    new long[] {100, Integer.MAX_VALUE - 8, Integer.MAX_VALUE, 1L << 40, -1, Long.MIN_VALUE}) {
                PayloadOutput out = new PayloadOutput();
                out.write(tag);
                out.writeVarLong(length);
                out.writeLong(0);
                Payload payload = out.toPayload();
                long before = allocatedBytes();

                assertThatExceptionOfType(SerializationException.class)
                        .isThrownBy(() -> Serializing.read(payload))
                        .withMessageContaining("were announced")
                        .matches(e -> e.code().equals("FBR-206"));
                assertThat(allocatedBytes() - before).isLessThan(4 << 20);
            }
        }
    }

    @Test
    void unknownKindsAndImpossibleNumbersAreNamed() {
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(Payload.of(new byte[] {99, 0})))
                .withMessage("FBR-206 Cannot read argument 17 of map on the worker: java.io.StreamCorruptedException:"
                        + " unknown kind of value 99 before byte 1. The bytes are damaged, or a class rejected them"
                        + " while it was deserialized.");
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(Payload.of(new byte[4])))
                .withMessageContaining("unknown kind of value 0 before byte 1");
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(Payload.of(new byte[] {Tag.INTEGER, -1, -1, -1, -1, 16})))
                .withMessageContaining("an int of more than 32 bits before byte 6");
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(Payload.empty()))
                .withMessageContaining("java.io.EOFException: The payload of 0 bytes has ended.");
    }

    @Test
    void anObjectMustUseAllOfItsBytes() {
        PayloadOutput out = new PayloadOutput();
        codec.write(List.of(1), out);
        long length = out.length();
        out.write(0);
        out.setInt(1, (int) (length - 5 + 1));
        Payload payload = out.toPayload();

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(payload))
                .withMessageContaining("1 bytes are left after an object");
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
