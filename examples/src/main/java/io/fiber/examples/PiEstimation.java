// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Throws darts at a square and counts those inside the circle, in worker processes. Arguments: [samples] [workers]. */
public final class PiEstimation {
    private PiEstimation() {}

    static int inside(int dart) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        double x = random.nextDouble();
        double y = random.nextDouble();
        return x * x + y * y < 1 ? 1 : 0;
    }

    public static void main(String[] args) {
        int samples = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        int workers = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(workers)) {
            int inside = pool.mapReduce(PiEstimation::inside, IntStream.range(0, samples), 0, Integer::sum);
            System.out.println("Pi is roughly " + 4.0 * inside / samples);
        }
    }
}
