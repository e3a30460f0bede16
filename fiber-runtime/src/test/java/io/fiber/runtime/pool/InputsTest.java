// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputsTest {

    private static RangeSource range(Inputs inputs) {
        assertThat(inputs).isInstanceOf(Inputs.Range.class);
        return ((Inputs.Range) inputs).source();
    }

    private static List<Object> items(Inputs inputs) {
        assertThat(inputs).isInstanceOf(Inputs.Items.class);
        List<Object> items = new ArrayList<>();
        ((Inputs.Items) inputs).iterator().forEachRemaining(items::add);
        return items;
    }

    private static void assertRange(Inputs inputs, Input kind, long first, long count) {
        RangeSource source = range(inputs);
        assertThat(source.known()).isEqualTo(count);
        Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);
        int taken = (int) Math.min(count, Integer.MAX_VALUE);
        Chunk chunk = source.next(call, Integer.MAX_VALUE, 0);
        assertThat(chunk).isNotNull();
        chunk.assign(1, new WorkerSlot(1, 1).slots.get(0), 0);
        ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        chunk.encode(buffer, 0, new Encoders());
        AssignDecoder assign = new AssignDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        assertThat(assign.input()).isEqualTo(kind);
        assertThat(assign.firstValue()).isEqualTo(first);
        assertThat(assign.count()).isEqualTo(taken);
        assertThat(source.known()).isEqualTo(count - taken);
        assertThat(source.isExhausted()).isEqualTo(count == taken);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without such checks may give
    void itemsThatAreNullAreNamed() {
        Iterable<Integer> without = () -> null;
        assertThatNullPointerException()
                .isThrownBy(() -> Inputs.of((Iterable<Integer>) null))
                .withMessage("items");
        assertThatNullPointerException()
                .isThrownBy(() -> Inputs.of((Stream<Integer>) null))
                .withMessage("items");
        assertThatNullPointerException()
                .isThrownBy(() -> Inputs.of((IntStream) null))
                .withMessage("items");
        assertThatNullPointerException().isThrownBy(() -> Inputs.of(without)).withMessage("items.iterator()");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, 10",
        "-5, 5, 10",
        "7, 8, 1",
        "-2147483648, 2147483647, 4294967295",
        "2147483646, 2147483647, 1",
        "-2147483648, -2147483647, 1"
    })
    void intRangeIsRecognized(int from, int to, long count) {
        assertRange(Inputs.of(IntStream.range(from, to)), Input.INT_RANGE, from, count);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, 11",
        "-2147483648, 2147483647, 4294967296",
        "2147483647, 2147483647, 1",
        "-2147483648, -2147483648, 1"
    })
    void closedIntRangeIsRecognized(int from, int to, long count) {
        assertRange(Inputs.of(IntStream.rangeClosed(from, to)), Input.INT_RANGE, from, count);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5000000000, 5000000000",
        "9223372036854775806, 9223372036854775807, 1",
        "-9223372036854775808, -9223372036854775807, 1",
        "-9223372036854775808, -2, 9223372036854775806"
    })
    void longRangeIsRecognized(long from, long to, long count) {
        assertRange(Inputs.of(LongStream.range(from, to)), Input.LONG_RANGE, from, count);
    }

    @Test
    void closedLongRangeIsRecognizedUpToTheEdge() {
        assertRange(
                Inputs.of(LongStream.rangeClosed(Long.MAX_VALUE, Long.MAX_VALUE)), Input.LONG_RANGE, Long.MAX_VALUE, 1);
        assertRange(
                Inputs.of(LongStream.rangeClosed(Long.MIN_VALUE, Long.MIN_VALUE + 2)),
                Input.LONG_RANGE,
                Long.MIN_VALUE,
                3);
    }

    @Test
    void rangeOfMoreThanALongCanCountIsReadOneByOne() {
        Inputs.Items items = (Inputs.Items) Inputs.of(LongStream.rangeClosed(Long.MIN_VALUE, Long.MAX_VALUE));
        assertThat(items.iterator().next()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void emptyRangeHasNoItems() {
        assertThat(items(Inputs.of(IntStream.range(3, 3)))).isEmpty();
        assertThat(items(Inputs.of(IntStream.range(Integer.MAX_VALUE, Integer.MIN_VALUE))))
                .isEmpty();
        assertThat(items(Inputs.of(IntStream.rangeClosed(3, 2)))).isEmpty();
        assertThat(items(Inputs.of(LongStream.range(3, 3)))).isEmpty();
    }

    @Test
    void otherStreamsAreReadOneByOne() {
        assertThat(items(Inputs.of(IntStream.of(5, 3, 4)))).containsExactly(5, 3, 4);
        assertThat(items(Inputs.of(IntStream.range(0, 6).filter(i -> i % 2 == 0))))
                .containsExactly(0, 2, 4);
        assertThat(items(Inputs.of(IntStream.range(0, 3).map(i -> i * i)))).containsExactly(0, 1, 4);
        assertThat(items(Inputs.of(IntStream.range(0, 9).skip(6)))).containsExactly(6, 7, 8);
        assertThat(items(Inputs.of(IntStream.iterate(1, i -> 2 * i).limit(4)))).containsExactly(1, 2, 4, 8);
        assertThat(items(Inputs.of(LongStream.of(5, 3)))).containsExactly(5L, 3L);
        assertThat(items(Inputs.of(LongStream.range(0, 2).sorted()))).containsExactly(0L, 1L);
    }

    @Test
    void endlessStreamIsNotRead() {
        Inputs.Items items = (Inputs.Items) Inputs.of(IntStream.iterate(0, i -> i + 1));
        assertThat(items.iterator().next()).isEqualTo(0);
        assertThat(items.iterator().next()).isEqualTo(1);
    }
}
