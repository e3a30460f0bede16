// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What a caller gave as items: consecutive numbers, or anything that can be iterated. */
sealed interface Inputs {

    /** Consecutive numbers. */
    record Range(RangeSource source) implements Inputs {}

    /**
     * Items that have to be asked for one by one; what they come from is closed when the last was taken.
     *
     * @param total how many there are, when that is known without asking for them
     */
    record Items(Iterator<? extends @Nullable Object> iterator, OptionalLong total, Runnable onUsedUp)
            implements Inputs {

        Items(Iterator<? extends @Nullable Object> iterator, Runnable onUsedUp) {
            this(iterator, OptionalLong.empty(), onUsedUp);
        }
    }

    /** Says that no more items will be asked for. */
    default void close() {
        if (this instanceof Items items) {
            items.onUsedUp().run();
        }
    }

    /** Returns the items of something that need not be closed. */
    static Inputs of(Iterable<? extends @Nullable Object> items) {
        Iterator<? extends @Nullable Object> iterator =
                requireNonNull(requireNonNull(items, "items").iterator(), "items.iterator()");
        OptionalLong total =
                items instanceof Collection<?> counted ? OptionalLong.of(counted.size()) : OptionalLong.empty();
        return new Items(iterator, total, () -> {});
    }

    /** Returns the items of a stream; of a range of the JDK the numbers are never made. */
    static Inputs of(BaseStream<? extends @Nullable Object, ?> stream) {
        if (stream instanceof IntStream ints) {
            return ofInts(ints);
        }
        if (stream instanceof LongStream longs) {
            return ofLongs(longs);
        }
        return new Items(requireNonNull(stream, "items").iterator(), stream::close);
    }

    /** The spliterators that {@code range} and {@code rangeClosed} of the JDK's streams return. */
    String INT_RANGE = "java.util.stream.Streams$RangeIntSpliterator";

    /** The same of {@link LongStream}. */
    String LONG_RANGE = "java.util.stream.Streams$RangeLongSpliterator";

    private static Inputs ofInts(IntStream stream) {
        Spliterator.OfInt numbers = stream.spliterator();
        if (numbers.getClass().getName().equals(INT_RANGE)) {
            long count = numbers.getExactSizeIfKnown();
            int[] first = new int[1];
            if (numbers.tryAdvance((int value) -> first[0] = value)) {
                stream.close();
                return new Range(RangeSource.ofInts(first[0], count));
            }
        }
        PrimitiveIterator.OfInt iterator = Spliterators.iterator(numbers);
        return new Items(iterator, stream::close);
    }

    private static Inputs ofLongs(LongStream stream) {
        Spliterator.OfLong numbers = stream.spliterator();
        if (numbers.getClass().getName().equals(LONG_RANGE)) {
            long count = numbers.getExactSizeIfKnown();
            long[] first = new long[1];
            if (count > 0 && numbers.tryAdvance((long value) -> first[0] = value)) {
                stream.close();
                return new Range(RangeSource.ofLongs(first[0], count));
            }
        }
        PrimitiveIterator.OfLong iterator = Spliterators.iterator(numbers);
        return new Items(iterator, stream::close);
    }
}
