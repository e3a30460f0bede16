// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.pool.scheduling.RangeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/** What a caller gave as items: consecutive numbers, or anything that can be iterated. */
sealed interface Inputs {

    /** The most items of which a copy is made: it takes a small part of the heap, 4 or 8 bytes for each item. */
    long GREATEST_COPY = Runtime.getRuntime().maxMemory() / 256;

    /** Returns how many items there are, when that is known without asking for them. */
    OptionalLong total();

    /** Says that no more items will be asked for. */
    default void close() {
        if (this instanceof Items items) {
            items.onUsedUp().run();
        }
    }

    /**
     * Returns these inputs for a call that reads them after it has returned: of items in the program's memory it has a copy,
     * so that the program may reuse its collection or array. What the iterator throws comes behind the items before it.
     */
    default Inputs copied() {
        if (!(this instanceof Items items) || items.place() == Place.ELSEWHERE) {
            return this;
        }
        Copy copy = new Copy(items.iterator());
        OptionalLong total = copy.thrown == null ? OptionalLong.of(copy.items.size()) : items.total();
        return new Items(copy, total, Place.COPY, items.onUsedUp());
    }

    /** Returns these inputs as items, each of which is written. */
    default Inputs oneByOne() {
        return this instanceof Range range
                ? new Items(range.source().numbers(), total(), Place.ELSEWHERE, () -> {})
                : this;
    }

    /** Returns the items of something that need not be closed. */
    static Inputs of(Iterable<? extends @Nullable Object> items) {
        if (requireNonNull(items, "items") instanceof Collection<?> counted) {
            int count = counted.size();
            // A larger collection may be a view that makes its items as they are asked for.
            return count > GREATEST_COPY
                    ? new Items(bound(counted.spliterator()), OptionalLong.of(count), Place.ELSEWHERE, () -> {})
                    : new Items(iterator(counted), OptionalLong.of(count), place(counted), () -> {});
        }
        return new Items(iterator(items), OptionalLong.empty(), Place.ELSEWHERE, () -> {});
    }

    /** A collection that is not the JDK's may make its items as they are asked for, each in the same array. */
    private static Place place(Collection<?> items) {
        return items.getClass().getClassLoader() == null ? Place.PROGRAM : Place.COLLECTION;
    }

    private static Iterator<? extends @Nullable Object> iterator(Iterable<? extends @Nullable Object> items) {
        return requireNonNull(items.iterator(), "items.iterator()");
    }

    /** A collection that is changed from now on is noticed by its spliterator, but not by all iterators. */
    private static Iterator<? extends @Nullable Object> bound(Spliterator<? extends @Nullable Object> items) {
        var unused = items.estimateSize();
        return Spliterators.iterator(items);
    }

    /** Returns the items of a stream; of a range of the JDK only the first number is made. */
    static Inputs of(BaseStream<? extends @Nullable Object, ?> stream) {
        Spliterator<? extends @Nullable Object> items =
                requireNonNull(stream, "items").spliterator();
        return switch (items.getClass().getName()) {
            case "java.util.stream.Streams$RangeIntSpliterator", "java.util.stream.Streams$RangeLongSpliterator" ->
                range(items, stream);
            case "java.util.Spliterators$ArraySpliterator",
                    "java.util.Spliterators$IntArraySpliterator",
                    "java.util.Spliterators$LongArraySpliterator",
                    "java.util.Spliterators$DoubleArraySpliterator" ->
                new Items(
                        Spliterators.iterator(items),
                        OptionalLong.empty(),
                        items.estimateSize() > GREATEST_COPY ? Place.ELSEWHERE : Place.PROGRAM,
                        stream::close);
            default -> new Items(bound(items), OptionalLong.empty(), Place.ELSEWHERE, stream::close);
        };
    }

    private static Inputs range(Spliterator<? extends @Nullable Object> numbers, BaseStream<?, ?> stream) {
        long count = numbers.getExactSizeIfKnown();
        Iterator<? extends @Nullable Object> iterator = Spliterators.iterator(numbers);
        if (count <= 0) {
            return new Items(iterator, OptionalLong.empty(), Place.ELSEWHERE, stream::close);
        }
        Object first = requireNonNull(iterator.next());
        stream.close();
        return new Range(
                first instanceof Integer number
                        ? new RangeSource(Form.INT_RANGE, number, count)
                        : new RangeSource(Form.LONG_RANGE, (Long) first, count));
    }

    /** Consecutive numbers. */
    record Range(RangeSource source) implements Inputs {
        @Override
        public OptionalLong total() {
            return OptionalLong.of(source.known());
        }
    }

    /**
     * Items that have to be asked for one by one; what they come from is closed when the last was taken.
     *
     * @param total how many there are, when that is known without asking for them
     * @param place where the items are until they are asked for
     */
    record Items(Iterator<? extends @Nullable Object> iterator, OptionalLong total, Place place, Runnable onUsedUp)
            implements Inputs {}

    /** Where items are until they are asked for. */
    enum Place {
        /** They may not exist yet: making them may block, and there may be no end of them. */
        ELSEWHERE,
        /** In a collection of the program, which may change them. */
        COLLECTION,
        /** In a collection of the JDK or an array, which the program may change. */
        PROGRAM,
        /** In a copy of the program's collection or array. */
        COPY
    }

    /** Items in the order in which they were copied. */
    final class Copy implements Iterator<@Nullable Object> {
        private final List<@Nullable Object> items = new ArrayList<>();
        private @Nullable FiberException thrown;
        private int next;

        private Copy(Iterator<? extends @Nullable Object> from) {
            try {
                from.forEachRemaining(items::add);
            } catch (Exception e) {
                thrown = MapCall.unreadable(e);
            }
        }

        @Override
        public boolean hasNext() {
            if (next == items.size() && thrown != null) {
                throw thrown;
            }
            return next < items.size();
        }

        @Override
        public @Nullable Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return items.set(next++, null);
        }
    }
}
