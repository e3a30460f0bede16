// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Maps a list with the default call, once for each line of standard input, and answers with a line {@code RESULT} and the
 * seconds it took. The Python program beside it, {@code lists_peer.py}, does the same by the same steps.
 */
public final class ListsProgram {
    private static final int WORKERS = 5;
    private static final int ITEMS = 100_000;
    private static final int DOUBLES = 100;

    private ListsProgram() {}

    /** An item with a few fields. */
    record Order(int number, String customer, double amount) implements Serializable {}

    static int number(Order order) {
        return order.number();
    }

    static int length(String text) {
        return text.length();
    }

    static int first(double[] values) {
        return (int) values[0];
    }

    /** Takes the kind of items: {@code strings}, {@code records} or {@code arrays}. */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "strings" -> map(ListsProgram::length, items(item -> String.format(Locale.ROOT, "item %09d", item)));
            case "records" -> map(ListsProgram::number, items(item -> new Order(item, "customer " + item, item / 7.0)));
            case "arrays" ->
                map(
                        ListsProgram::first,
                        items(item -> IntStream.range(0, DOUBLES)
                                .mapToDouble(at -> item + at)
                                .toArray()));
            default -> throw new IllegalArgumentException("'" + args[0] + "' is none of strings, records, arrays.");
        }
    }

    private static <T> List<T> items(java.util.function.IntFunction<T> make) {
        return IntStream.range(0, ITEMS).mapToObj(make).toList();
    }

    private static <T> void map(RemoteFunction<T, Integer> function, List<T> items) throws IOException {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.waitUntilWorkersUp();
            while (commands.readLine() != null) {
                long beginNs = System.nanoTime();
                List<Integer> results = pool.map(function, items);
                long endNs = System.nanoTime();
                check(results, function, items);
                System.out.printf(Locale.ROOT, "RESULT %.6f%n", (endNs - beginNs) / 1e9);
                System.out.flush();
            }
        }
    }

    private static <T> void check(List<Integer> results, RemoteFunction<T, Integer> function, List<T> items) {
        for (int at = 0; at < items.size(); at++) {
            int expected;
            try {
                expected = function.apply(items.get(at));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            if (results.size() != items.size() || results.get(at) != expected) {
                throw new IllegalStateException("Result " + at + " of " + results.size() + " is " + results.get(at)
                        + "; expected " + expected + ".");
            }
        }
    }
}
