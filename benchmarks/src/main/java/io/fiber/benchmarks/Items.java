// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.TaskRunner;
import io.fiber.function.RemoteFunction;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What a benchmark maps: a range, or a list of as many items. {@code items.py} makes the same for Python. */
enum Items {
    RANGE,
    STRINGS,
    RECORDS,
    ARRAYS;

    private static final int DOUBLES = 100;
    private static final int NUMBER_OF_STRING = "item ".length();

    /** An item with a few fields. */
    record Order(int number, String customer, double amount) implements Serializable {}

    /** Returns the kind of this name in lower case. */
    static Items named(String name) {
        for (Items kind : values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is none of range, strings, records, arrays.");
    }

    /** Returns the first items. */
    List<Object> list(int count) {
        return IntStream.range(0, count).mapToObj(this::make).toList();
    }

    private Object make(int item) {
        return switch (this) {
            case RANGE -> item;
            case STRINGS -> String.format(Locale.ROOT, "item %09d", item);
            case RECORDS -> new Order(item, "customer " + item, item / 7.0);
            case ARRAYS ->
                IntStream.range(0, DOUBLES).mapToDouble(at -> item + at).toArray();
        };
    }

    /** Returns the number that an item of a list was made of. */
    static int number(Object item) {
        if (item instanceof String text) {
            return Integer.parseInt(text, NUMBER_OF_STRING, text.length(), 10);
        }
        return item instanceof Order order ? order.number() : (int) ((double[]) item)[0];
    }

    /** A task on the number of an item, and the same task on an item of a list. */
    record Task<R>(RemoteFunction<Integer, R> onNumber, RemoteFunction<Object, R> onItem) {}

    /** Maps the first {@code count} items of {@code list}, which this kind has made, or the range of as many. */
    <R> List<R> map(TaskRunner pool, Task<R> task, List<Object> list, int count) {
        return this == RANGE
                ? pool.map(task.onNumber(), IntStream.range(0, count))
                : pool.map(task.onItem(), list.subList(0, count));
    }
}
