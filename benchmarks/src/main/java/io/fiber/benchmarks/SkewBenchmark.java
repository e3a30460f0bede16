// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * How near to the ideal a pool of 5 comes with 10,000 tasks of 0.2 ms of which 1 % take 200 ms, by the default call. The
 * tasks sleep, so that the number of processors does not matter; which of them are long depends on the seed alone. The
 * ideal is the sum of what the tasks were to take, divided by the workers.
 */
public final class SkewBenchmark {

    private static final int WORKERS = 5;
    private static final int TASKS = 10_000;
    private static final int SEEDS = 20;
    private static final int WARM_UP_TASKS = 1_000;
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 200_000_000;
    private static final int SHORT_FOR_EACH_LONG = 100;

    private SkewBenchmark() {}

    /** Takes the number of seeds, 20 when none is given, and the kind of items, a range when none is given. */
    public static void main(String[] args) {
        int seeds = args.length == 0 ? SEEDS : Integer.parseInt(args[0]);
        Items kind = Items.named(args.length < 2 ? "range" : args[1]);
        List<Object> items = kind.list(TASKS);
        double[] ratios = new double[seeds];
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.poolBuilder(WORKERS).start()) {
            pool.awaitReady();
            Items.Task<Long> warmUp = new Items.Task<>(item -> pause(SHORT_NS), item -> pause(SHORT_NS));
            kind.map(pool, warmUp, items, WARM_UP_TASKS);
            for (int seed = 0; seed < seeds; seed++) {
                ratios[seed] = run(pool, seed, kind, items);
            }
        }
        System.out.printf(Locale.ROOT, "{\"test\": \"skew\", \"ratio\": %.3f}%n", median(ratios));
    }

    private static double run(Pool pool, int seed, Items kind, List<Object> items) {
        double idealS = (double) IntStream.range(0, TASKS)
                        .mapToLong(item -> durationNs(seed, item))
                        .sum()
                / WORKERS
                / 1e9;
        Items.Task<Long> task = new Items.Task<>(
                item -> pause(durationNs(seed, item)), item -> pause(durationNs(seed, Items.number(item))));
        long beginNs = System.nanoTime();
        int results = kind.map(pool, task, items, TASKS).size();
        double seconds = (System.nanoTime() - beginNs) / 1e9;
        if (results != TASKS) {
            throw new IllegalStateException(results + " results; expected " + TASKS + ".");
        }
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"skew\", \"seed\": %d, \"workers\": %d, \"tasks\": %d, \"seconds\": %.3f, \"ideal_s\": %.3f,"
                        + " \"ratio\": %.3f}%n",
                seed,
                WORKERS,
                TASKS,
                seconds,
                idealS,
                seconds / idealS);
        return seconds / idealS;
    }

    private static long durationNs(int seed, int item) {
        return new SplittableRandom((long) seed * TASKS + item).nextInt(SHORT_FOR_EACH_LONG) == 0 ? LONG_NS : SHORT_NS;
    }

    private static long pause(long durationNs) {
        long endNs = System.nanoTime() + durationNs;
        for (long leftNs = durationNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
        return durationNs;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
