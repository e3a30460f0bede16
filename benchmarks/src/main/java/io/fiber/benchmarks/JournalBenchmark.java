// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import io.fiber.function.RemoteFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What a journal costs: the same calls with one and without, in turn, and calls whose results are all recorded. */
public final class JournalBenchmark {

    private static final int WORKERS = 4;
    private static final int NAPS = 100_000;
    private static final int EMPTY = 1_000_000;

    private JournalBenchmark() {}

    private static int nap(int item) throws InterruptedException {
        Thread.sleep(1);
        return item;
    }

    private static int nothing(int item) {
        return item;
    }

    /** Takes the number of rounds, 5 if none is given. */
    public static void main(String[] args) throws IOException {
        int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
        Path directory = Files.createTempDirectory("journals");
        measure("naps", JournalBenchmark::nap, NAPS, rounds, directory);
        measure("empty", JournalBenchmark::nothing, EMPTY, rounds, directory);
        Files.delete(directory);
    }

    private static void measure(
            String test, RemoteFunction<Integer, Integer> task, int tasks, int rounds, Path directory)
            throws IOException {
        double[] without = new double[rounds];
        double[] with = new double[rounds];
        double[] again = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            Path file = directory.resolve(test);
            without[round] = seconds(task, tasks, CallOptions.defaults());
            with[round] = seconds(task, tasks, CallOptions.defaults().journal(file));
            again[round] = seconds(task, tasks, CallOptions.defaults().journal(file));
            Files.delete(file);
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.3f s without a journal, %.3f s with one, %.3f s to take all results%n",
                    test,
                    without[round],
                    with[round],
                    again[round]);
        }
        double base = SkewBenchmark.median(without);
        double recorded = SkewBenchmark.median(with);
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"%s\", \"tasks\": %d, \"ratio\": %.3f, \"recorded_per_s\": %.0f, \"taken_per_s\": %.0f}%n",
                test,
                tasks,
                recorded / base,
                tasks / recorded,
                tasks / SkewBenchmark.median(again));
    }

    /** Returns how long a call takes in a pool whose workers are ready, or that needs none. */
    private static double seconds(RemoteFunction<Integer, Integer> task, int tasks, CallOptions options) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.awaitReady();
            TaskRunner runner = pool.with(options);
            long beginNs = System.nanoTime();
            List<Integer> results = runner.map(task, IntStream.range(0, tasks));
            double seconds = (System.nanoTime() - beginNs) / 1e9;
            if (results.size() != tasks) {
                throw new IllegalStateException(results.size() + " results");
            }
            return seconds;
        }
    }
}
