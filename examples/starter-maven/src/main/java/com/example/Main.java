// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.stream.IntStream;

/** Squares numbers in two worker processes. */
public final class Main {
    private Main() {}

    static String square(int number) {
        return number + " squared is " + number * number + ", says process "
                + ProcessHandle.current().pid();
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            pool.map(Main::square, IntStream.range(0, 10)).forEach(System.out::println);
        }
    }
}
