// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a barrier costs when all code is compiled: rounds of 5 tasks that sleep for 1 ms, in a pool of 5 by the default call,
 * and in turn with them on five threads of this JVM.
 */
public final class RoundsBenchmark {

    private static final int WORKERS = 5;
    private static final int BLOCKS = 20;
    private static final int ROUNDS = 200;

    private RoundsBenchmark() {}

    /** One round, whose tasks have ended when it returns. */
    @FunctionalInterface
    private interface Round {
        void run() throws InterruptedException, ExecutionException;
    }

    /**
     * Takes the number of blocks, 20 when none is given, and the kind of items, a range when none is given. Of the blocks the
     * last half counts as warm.
     */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        double[] ratios = new double[args.length == 0 ? BLOCKS : Integer.parseInt(args[0])];
        Items kind = Items.named(args.length < 2 ? "range" : args[1]);
        List<Object> items = kind.list(WORKERS);
        Items.Task<Integer> sleep = new Items.Task<>(OverheadProgram::sleep, OverheadProgram::sleepOver);
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        List<Callable<Integer>> sleeps = Collections.nCopies(WORKERS, () -> OverheadProgram.sleep(0));
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.poolBuilder(WORKERS).start()) {
            pool.awaitReady();
            for (int block = 0; block < ratios.length; block++) {
                double ours = medianMs(() -> kind.map(pool, sleep, items, WORKERS));
                double theirs = medianMs(() -> {
                    for (Future<Integer> each : threads.invokeAll(sleeps)) {
                        each.get();
                    }
                });
                ratios[block] = ours / theirs;
                tell(block, ours, theirs);
            }
        } finally {
            threads.shutdownNow();
        }
        double[] warm = Arrays.copyOfRange(ratios, ratios.length / 2, ratios.length);
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"rounds\", \"first\": %.3f, \"warm\": %.3f}%n",
                ratios[0],
                SkewBenchmark.median(warm));
    }

    private static double medianMs(Round round) throws InterruptedException, ExecutionException {
        double[] durationsMs = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long beginNs = System.nanoTime();
            round.run();
            durationsMs[i] = (System.nanoTime() - beginNs) / 1e6;
        }
        return SkewBenchmark.median(durationsMs);
    }

    private static void tell(int block, double ours, double theirs) {
        System.out.printf(
                Locale.ROOT,
                "{\"test\": \"rounds\", \"block\": %d, \"rounds\": %d, \"pool_ms\": %.3f, \"threads_ms\": %.3f,"
                        + " \"ratio\": %.3f}%n",
                block,
                ROUNDS,
                ours,
                theirs,
                ours / theirs);
    }
}
