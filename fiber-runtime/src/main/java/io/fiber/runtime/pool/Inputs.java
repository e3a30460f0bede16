// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.codec.Input;
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

    /** Returns the items of a stream; of a range of the JDK only the first number is made. */
    static Inputs of(BaseStream<? extends @Nullable Object, ?> stream) {
        if (stream instanceof IntStream ints) {
            Spliterator.OfInt numbers = ints.spliterator();
            PrimitiveIterator.OfInt iterator = Spliterators.iterator(numbers);
            long count = rangeLength(numbers);
            return count > 0
                    ? range(Input.INT_RANGE, iterator.nextInt(), count, stream)
                    : new Items(iterator, stream::close);
        }
        if (stream instanceof LongStream longs) {
            Spliterator.OfLong numbers = longs.spliterator();
            PrimitiveIterator.OfLong iterator = Spliterators.iterator(numbers);
            long count = rangeLength(numbers);
            return count > 0
                    ? range(Input.LONG_RANGE, iterator.nextLong(), count, stream)
                    : new Items(iterator, stream::close);
        }
        return new Items(requireNonNull(stream, "items").iterator(), stream::close);
    }

    private static Inputs range(Input kind, long first, long count, BaseStream<?, ?> stream) {
        stream.close();
        return new Range(new RangeSource(kind, first, count));
    }

    /** Returns how many numbers a range has that {@code range} or {@code rangeClosed} of the JDK returned; else 0 or less. */
    private static long rangeLength(Spliterator<?> numbers) {
        return switch (numbers.getClass().getName()) {
            case "java.util.stream.Streams$RangeIntSpliterator", "java.util.stream.Streams$RangeLongSpliterator" ->
                numbers.getExactSizeIfKnown();
            default -> 0;
        };
    }
}
