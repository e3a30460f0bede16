// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A program with a journal, which goes on where it was. Arguments: a directory, a number of items, the length of a task in ms. */
public final class JournaledSquares {

    private static final int WORKERS = 2;

    private JournaledSquares() {}

    private static long square(int number, String count, int ms) throws Exception {
        TimeUnit.MILLISECONDS.sleep(ms);
        Files.write(Path.of(count), new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return (long) number * number;
    }

    /** Prints each result, and at the end their sum and how many tasks have run in all runs of the program. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        String count = directory.resolve("ran").toString();
        int items = Integer.parseInt(arguments[1]);
        int ms = Integer.parseInt(arguments[2]);
        CallOptions durable = CallOptions.defaults().journal(directory.resolve("squares.journal"));
        System.out.println("starts");
        long sum = 0;
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            Iterator<Long> squares = pool.with(durable)
                    .imap(
                            (Integer number) -> square(number, count, ms),
                            IntStream.range(0, items).boxed())
                    .iterator();
            while (squares.hasNext()) {
                long square = squares.next();
                System.out.println("square " + square);
                sum += square;
            }
        }
        System.out.println("sum " + sum + " of " + Files.size(Path.of(count)) + " tasks");
    }
}
