// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** A program with workers: throws darts at a square, and ends with the code that it was told. */
public final class Darts {

    private static final int DARTS = 100_000;

    private Darts() {}

    static boolean inside(int dart) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        double x = random.nextDouble();
        double y = random.nextDouble();
        return x * x + y * y < 1;
    }

    /** The first argument is the exit code. */
    public static void main(String[] arguments) {
        System.out.println("ready");
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            long hits = pool.map(Darts::inside, IntStream.range(0, DARTS)).stream()
                    .filter(hit -> hit)
                    .count();
            System.out.println("Pi is roughly " + 4.0 * hits / DARTS);
        }
        System.exit(Integer.parseInt(arguments[0]));
    }
}
