// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Makes a pool at the first line of standard input, and runs one {@link Step} with it at the second; each is answered with a
 * line {@code RESULT} and the seconds it took. {@code fresh_peer.py} does the same with multiprocessing.
 */
public final class FreshProgram {
    static final int WORKERS = 5;

    /** How many requests a worker of a plain pool has before it: many where tasks are quick, and one to go on with. */
    private static final int QUICK_WINDOW = 64;

    private static final int WINDOW = 2;
    private static final int CHUNKS = 100;

    private FreshProgram() {}

    static int same(int item) {
        return item;
    }

    static int nap(int item) throws InterruptedException {
        Thread.sleep(1);
        return item;
    }

    /** Takes {@code fiber}, {@code aeron} or {@code sockets}, and the name of a step. */
    public static void main(String[] args) throws IOException {
        Step step = Step.named(args[1]);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            commands.readLine();
            if (args[0].equals("fiber")) {
                fiber(step, commands);
            } else {
                plain(args[0], step, commands);
            }
        }
    }

    private static void fiber(Step step, BufferedReader commands) throws IOException {
        long beginNs = System.nanoTime();
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            check(pool.map(FreshProgram::same, IntStream.range(0, WORKERS)), WORKERS);
            answer(System.nanoTime() - beginNs);
            if (commands.readLine() == null) {
                return;
            }
            beginNs = System.nanoTime();
            for (int round = 0; round < step.rounds; round++) {
                check(map(pool, step), step.items);
            }
            answer(System.nanoTime() - beginNs);
            commands.readLine();
        }
    }

    private static List<Integer> map(Pool pool, Step step) {
        IntStream items = IntStream.range(0, step.items);
        if (step == Step.SEPARATE) {
            return pool.with(CallOptions.defaults().chunkSize(1)).map(FreshProgram::same, items);
        }
        return step.sleeps ? pool.map(FreshProgram::nap, items) : pool.map(FreshProgram::same, items);
    }

    private static void plain(String transport, Step step, BufferedReader commands) throws IOException {
        long beginNs = System.nanoTime();
        try (PlainPool pool = pool(transport, step)) {
            check(pool.map(WORKERS, 1), WORKERS);
            answer(System.nanoTime() - beginNs);
            if (commands.readLine() == null) {
                return;
            }
            int chunkSize = step == Step.DEFAULT ? step.items / CHUNKS : 1;
            beginNs = System.nanoTime();
            for (int round = 0; round < step.rounds; round++) {
                check(pool.map(step.items, chunkSize), step.items);
            }
            answer(System.nanoTime() - beginNs);
            commands.readLine();
        }
    }

    private static PlainPool pool(String transport, Step step) throws IOException {
        PlainPool.Task task = step.sleeps ? FreshProgram::nap : FreshProgram::same;
        int window = step.sleeps ? WINDOW : QUICK_WINDOW;
        return switch (transport) {
            case "aeron" -> new PlainAeronPool(WORKERS, task, window);
            case "sockets" -> new PlainSocketPool(WORKERS, task, window);
            default -> throw new IllegalArgumentException("'" + transport + "' is none of fiber, aeron, sockets.");
        };
    }

    private static void check(List<Integer> results, int count) {
        check(results.size(), results.stream().mapToLong(Integer::longValue).sum(), count);
    }

    private static void check(int[] results, int count) {
        long sum = 0;
        for (int result : results) {
            sum += result;
        }
        check(results.length, sum, count);
    }

    private static void check(int size, long sum, int count) {
        long expected = (long) count * (count - 1) / 2;
        if (size != count || sum != expected) {
            throw new IllegalStateException(
                    size + " results with sum " + sum + "; expected " + count + " with sum " + expected + ".");
        }
    }

    private static void answer(long durationNs) {
        System.out.printf(Locale.ROOT, "RESULT %.6f%n", durationNs / 1e9);
        System.out.flush();
    }
}
