// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.Items;
import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.pool.scheduling.RangeSource;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

    private static void assertRange(Inputs inputs, Form form, long first, long count) {
        RangeSource source = range(inputs);
        assertThat(source.known()).isEqualTo(count);
        Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);
        int taken = (int) Math.min(count, Integer.MAX_VALUE);
        Chunk chunk = source.next(call, Integer.MAX_VALUE, 0);
        assertThat(chunk).isNotNull();
        assertThat(chunk.items()).isEqualTo(new Items(form, 0, taken, first, SealedPayload.none(), 0));
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
        assertRange(Inputs.of(IntStream.range(from, to)), Form.INT_RANGE, from, count);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, 11",
        "-2147483648, 2147483647, 4294967296",
        "2147483647, 2147483647, 1",
        "-2147483648, -2147483648, 1"
    })
    void closedIntRangeIsRecognized(int from, int to, long count) {
        assertRange(Inputs.of(IntStream.rangeClosed(from, to)), Form.INT_RANGE, from, count);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5000000000, 5000000000",
        "9223372036854775806, 9223372036854775807, 1",
        "-9223372036854775808, -9223372036854775807, 1",
        "-9223372036854775808, -2, 9223372036854775806"
    })
    void longRangeIsRecognized(long from, long to, long count) {
        assertRange(Inputs.of(LongStream.range(from, to)), Form.LONG_RANGE, from, count);
    }

    @Test
    void closedLongRangeIsRecognizedUpToTheEdge() {
        assertRange(
                Inputs.of(LongStream.rangeClosed(Long.MAX_VALUE, Long.MAX_VALUE)), Form.LONG_RANGE, Long.MAX_VALUE, 1);
        assertRange(
                Inputs.of(LongStream.rangeClosed(Long.MIN_VALUE, Long.MIN_VALUE + 2)),
                Form.LONG_RANGE,
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

    @Test
    void callThatReadsLaterHasACopyOfACollection() {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        Map<Integer, Integer> map = new TreeMap<>(Map.of(1, 10, 2, 20));
        List<Inputs> copies = List.of(
                Inputs.of(list).copied(),
                Inputs.of(Collections.unmodifiableList(list)).copied(),
                Inputs.of(list.subList(0, 3)).copied(),
                Inputs.of(map.keySet()).copied(),
                Inputs.of(map.values()).copied());

        list.clear();
        map.clear();

        assertThat(copies.stream().map(InputsTest::items))
                .containsExactly(List.of(1, 2, 3), List.of(1, 2, 3), List.of(1, 2, 3), List.of(1, 2), List.of(10, 20));
    }

    @Test
    void callThatReadsLaterHasACopyOfAnArray() {
        Integer[] boxes = {1, 2};
        int[] ints = {1, 2};
        long[] longs = {1, 2};
        double[] doubles = {1, 2};
        List<Inputs> copies = List.of(
                Inputs.of(Arrays.asList(boxes)).copied(),
                Inputs.of(Arrays.stream(boxes)).copied(),
                Inputs.of(Arrays.stream(ints)).copied(),
                Inputs.of(Arrays.stream(longs)).copied(),
                Inputs.of(Arrays.stream(doubles)).copied());

        boxes[1] = 9;
        ints[1] = 9;
        longs[1] = 9;
        doubles[1] = 9;

        assertThat(copies.stream().map(InputsTest::items))
                .containsExactly(List.of(1, 2), List.of(1, 2), List.of(1, 2), List.of(1L, 2L), List.of(1.0, 2.0));
    }

    @Test
    void collectionThatChangesBehindItsStreamIsNoticed() {
        for (Function<List<Integer>, Inputs> way : List.<Function<List<Integer>, Inputs>>of(
                list -> Inputs.of(list.stream()),
                list -> Inputs.of(list.stream().map(String::valueOf)),
                list -> Inputs.of(list.stream().mapToInt(i -> 0)),
                list -> Inputs.of(list.stream().mapToDouble(i -> 0)))) {
            List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
            Inputs inputs = way.apply(list).copied();

            list.clear();

            assertThatThrownBy(() -> items(inputs)).isInstanceOf(ConcurrentModificationException.class);
        }
    }

    /** Such a view makes its items as they are asked for. */
    @Test
    void hugeViewIsNotCopied() {
        Inputs.Items items = (Inputs.Items)
                Inputs.of(Collections.nCopies(Integer.MAX_VALUE, 7)).copied();

        assertThat(items.iterator().next()).isEqualTo(7);
        assertThat(items.total()).hasValue(Integer.MAX_VALUE);
    }

    @Test
    void whatAnIteratorThrowsComesBehindTheItemsBeforeIt() {
        Collection<Integer> view = new AbstractList<>() {
            @Override
            public Integer get(int index) {
                if (index == 2) {
                    throw new IllegalStateException("no third one");
                }
                return index;
            }

            @Override
            public int size() {
                return 5;
            }
        };
        Iterator<?> items = ((Inputs.Items) Inputs.of(view).copied()).iterator();

        assertThat(List.of(items.next(), items.next())).isEqualTo(List.of(0, 1));
        assertThatThrownBy(items::hasNext)
                .hasMessage(
                        "FBR-405 The items of a call could not be read: java.lang.IllegalStateException: no third one");
    }
}
