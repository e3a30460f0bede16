// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * Draws random numbers that can be reproduced: each item has a stream of its own, so the result depends on the seed and not on
 * the number of workers. Arguments: [workers].
 */
public final class RandomStreams {
    private static final long SEED = 20_240_229;

    private RandomStreams() {}

    /** A generator made in the task: one that is captured would be copied, and repeat itself in every worker. */
    static RandomGenerator randomOf(long item) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(SEED + item);
    }

    static int inside(int item) {
        RandomGenerator random = randomOf(item);
        int inside = 0;
        for (int dart = 0; dart < 1_000; dart++) {
            double x = random.nextDouble();
            double y = random.nextDouble();
            inside += x * x + y * y < 1 ? 1 : 0;
        }
        return inside;
    }

    public static void main(String[] args) {
        int workers = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(workers)) {
            int inside = pool.mapReduce(RandomStreams::inside, IntStream.range(0, 1_000), 0, Integer::sum);
            System.out.println("Pi is roughly " + 4.0 * inside / 1_000_000);
        }
    }
}
