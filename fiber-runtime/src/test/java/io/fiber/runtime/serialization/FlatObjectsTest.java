// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.SerializationException;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records and lambdas of plain values do not go through an object stream, and nobody notices. */
@SuppressWarnings("ArrayRecordComponent") // which parts are plain is what is tested
class FlatObjectsTest {

    /** Where the kind of an object stands: behind the tag and the length. */
    private static final int KIND = 5;

    record Step(
            double position,
            int count,
            @Nullable String name,
            @Nullable Long last,
            boolean done,
            float[] parts) implements Serializable {}

    record Pair(int[] left, int[] right) implements Serializable {}

    record Positive(int number) implements Serializable {
        Positive {
            if (number < 0) {
                throw new IllegalArgumentException("below zero");
            }
        }
    }

    record Replaced(int number) implements Serializable {
        private Object readResolve() {
            return "replaced";
        }
    }

    record Doubling(int number) implements Serializable {
        @Override
        public int number() {
            return 2 * number;
        }
    }

    @Test
    void recordsOfPlainValuesComeBack() throws IOException {
        Step step = new Step(0.5, -3, null, 7L, true, new float[] {1, 2});
        Payload written = Serializing.written(step);
        Step read = (Step) Serializing.read(written);

        assertThat(kind(written)).isEqualTo(FlatWriter.RECORD);
        assertThat(read).usingRecursiveComparison().isEqualTo(step);
    }

    @Test
    void fieldsTravelAsTheyAreWhateverTheAccessorsSay() {
        assertThat(Serializing.travelled(new Doubling(4)).number()).isEqualTo(8);
    }

    @Test
    void whatCouldBeSharedOrIsReplacedGoesThroughAnObjectStream() throws IOException {
        int[] numbers = {1};
        Payload pair = Serializing.written(new Pair(numbers, numbers));
        Pair read = (Pair) requireNonNull(Serializing.read(pair));

        assertThat(kind(pair)).isGreaterThan(FlatWriter.LAMBDA);
        assertThat(read.left()).isSameAs(read.right());
        assertThat(Serializing.read(Serializing.written(new Replaced(1)))).isEqualTo("replaced");
    }

    @Test
    void aConstructorIsAskedAlsoForWhatWasNotSentByOne() {
        Payload written = Serializing.written(new Positive(5));
        byte[] bytes = written.toArray();
        bytes[bytes.length - 1] = 9;

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> Serializing.read(Payload.of(bytes)))
                .withMessageContaining("below zero");
    }

    @Test
    void lambdasOfPlainValuesComeBack() throws Exception {
        int factor = 3;
        String text = "x";
        long[] table = {5, 6};
        RemoteFunction<Integer, String> capturing = item -> text + item * factor + table[1];
        RemoteFunction<Integer, String> bare = item -> "<" + item + ">";
        RemoteFunction<Integer, String> reference = Integer::toHexString;

        assertThat(kind(Serializing.written(capturing))).isEqualTo(FlatWriter.LAMBDA);
        assertThat(kind(Serializing.written(bare))).isEqualTo(FlatWriter.LAMBDA);
        assertThat(Serializing.travelled(capturing).apply(2)).isEqualTo("x66");
        assertThat(Serializing.travelled(bare).apply(2)).isEqualTo("<2>");
        assertThat(Serializing.travelled(reference).apply(255)).isEqualTo("ff");
        assertThat(Serializing.travelled(Serializing.travelled(capturing)).apply(2))
                .isEqualTo("x66");
    }

    @Test
    void aLambdaOfOnePlaceBringsItsOwnValuesEachTime() throws Exception {
        for (int i = 0; i < 3; i++) {
            int captured = i;
            RemoteFunction<Integer, Integer> sum = item -> item + captured;
            assertThat(Serializing.travelled(sum).apply(10)).isEqualTo(10 + i);
        }
    }

    @Test
    void whatAFilterForbidsIsNotMade() {
        TypeFilter strict = new TypeFilter(
                ObjectInputFilter.Config.createFilter("!io.fiber.runtime.serialization.FlatObjectsTest$Positive"));
        ValueCodec reader = new ValueCodec(Serializing.serializer(getClass().getClassLoader(), strict), Side.WORKER);
        RemoteFunction<Integer, Integer> function = item -> item + 1;

        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(
                        () -> reader.read(Serializing.written(new Positive(1)).open()))
                .withMessageStartingWith("FBR-204 ")
                .withMessageContaining("FlatObjectsTest$Positive is not allowed by this JVM's jdk.serialFilter");
        assertThat(reader.read(Serializing.written(function).open())).isInstanceOf(RemoteFunction.class);
    }

    @Test
    void aFilterIsAskedForEachObjectAlsoWhenItsClassIsKnown() {
        AtomicBoolean forbids = new AtomicBoolean();
        TypeFilter changing = new TypeFilter(
                info -> forbids.get() ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED);
        ValueCodec reader = new ValueCodec(Serializing.serializer(getClass().getClassLoader(), changing), Side.WORKER);
        Payload written = Serializing.written(new Positive(1));
        assertThat(reader.read(written.open())).isEqualTo(new Positive(1));

        forbids.set(true);
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> reader.read(written.open()))
                .withMessageStartingWith("FBR-204 ")
                .withMessageContaining("FlatObjectsTest$Positive is not allowed by this JVM's jdk.serialFilter");
    }

    @Test
    void aClassOfTheJdkThatIsNotAllowedIsRefusedAsARecordAndAsALambda() {
        for (int kind : new int[] {FlatWriter.RECORD, FlatWriter.LAMBDA}) {
            PayloadOutput head = new PayloadOutput();
            head.writeText("java.lang.ProcessBuilder");
            if (kind == FlatWriter.LAMBDA) {
                head.writeLong(0);
                for (int i = 0; i < 3; i++) {
                    head.writeText("x");
                }
                head.write(6);
                for (int i = 0; i < 4; i++) {
                    head.writeText("x");
                }
            }
            head.write(0);

            assertThatExceptionOfType(SerializationException.class)
                    .isThrownBy(
                            () -> Serializing.read(framed(kind, head.toPayload().toArray())))
                    .withMessageStartingWith("FBR-204 ")
                    .withMessageContaining("java.lang.ProcessBuilder is not allowed");
        }
    }

    @Test
    void damagedOnesAreReadOrRefused() {
        RemoteFunction<Integer, Integer> function = item -> item + 1;
        byte[][] originals = {
            Serializing.written(new Step(1, 2, "three", 4L, false, new float[5]))
                    .toArray(),
            Serializing.written(function).toArray()
        };
        Random random = new Random(5);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = originals[round % 2].clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Serializing.read(Payload.of(bytes));
            } catch (SerializationException expected) {
                assertThat(expected.code()).startsWith("FBR-20");
            }
        }
    }

    private static int kind(Payload written) throws IOException {
        PayloadInput in = written.open();
        if (in.readByte() == Tag.FUNCTION) {
            ClassStamp.readAll(in);
        }
        in.readInt();
        return in.peek();
    }

    private static Payload framed(int kind, byte[] head) {
        PayloadOutput out = new PayloadOutput();
        out.write(Tag.OBJECT);
        out.writeInt(0);
        out.write(kind);
        out.writeVarLong(head.length);
        out.write(head, 0, head.length);
        out.setInt(1, (int) out.length() - KIND);
        return out.toPayload();
    }
}
