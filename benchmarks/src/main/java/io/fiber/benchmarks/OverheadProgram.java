// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Runs one test for each line of standard input and answers with a line {@code RESULT} and the seconds it took. The
 * Python program beside it, {@code multiprocessing_peer.py}, does the same tests by the same steps.
 */
public final class OverheadProgram {
    private static final int WORKERS = 5;
    private static final int TASKS = 100_000;
    private static final int MANY_TASKS = 10_000_000;
    private static final int SLEEPS = 5_000;
    private static final int BARRIERS = 200;

    private OverheadProgram() {}

    static Object nothing(int item) {
        return 0;
    }

    static int same(int item) {
        return item;
    }

    static int sleep(int item) throws InterruptedException {
        Thread.sleep(1);
        return item;
    }

    static int sleepOver(Object item) throws InterruptedException {
        return sleep(Items.number(item));
    }

    /** Takes {@code startup}, {@code pool} or {@code threads}: what to measure; for a pool also the kind of items. */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "startup" -> startUp();
            case "pool" -> pool(Items.named(args[1]));
            case "threads" -> threads();
            default -> throw new IllegalArgumentException("'" + args[0] + "' is none of startup, pool, threads.");
        }
    }

    private static void startUp() throws IOException {
        try (BufferedReader commands = commands()) {
            commands.readLine();
            long beginNs = System.nanoTime();
            try (Fiber fiber = Fiber.open()) {
                long openNs = System.nanoTime();
                try (Pool pool = fiber.pool(WORKERS)) {
                    check(pool.map(OverheadProgram::same, IntStream.range(0, WORKERS)), WORKERS);
                    long endNs = System.nanoTime();
                    answer(endNs - beginNs, endNs - openNs);
                    commands.readLine();
                }
            }
        }
    }

    private static void pool(Items kind) throws IOException {
        List<Object> items = kind == Items.RANGE ? List.of() : kind.list(TASKS);
        try (BufferedReader commands = commands();
                Fiber fiber = Fiber.open();
                Pool pool = fiber.poolBuilder(WORKERS).start()) {
            pool.awaitReady();
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                long beginNs = System.nanoTime();
                run(test, pool, kind, items);
                answer(System.nanoTime() - beginNs);
            }
        }
    }

    private static void run(String test, Pool pool, Items kind, List<Object> items) {
        Items.Task<Integer> same = new Items.Task<>(OverheadProgram::same, Items::number);
        Items.Task<Integer> sleep = new Items.Task<>(OverheadProgram::sleep, OverheadProgram::sleepOver);
        switch (test) {
            case "warmup" -> kind.map(pool, same, items, TASKS / 10);
            case "empty1" -> {
                TaskRunner one = pool.with(CallOptions.defaults().chunkSize(1));
                kind.map(one, new Items.Task<>(OverheadProgram::nothing, item -> nothing(0)), items, TASKS);
            }
            case "emptydef" -> check(kind.map(pool, same, items, TASKS), TASKS);
            case "emptydef10m" -> check(pool.map(OverheadProgram::same, IntStream.range(0, MANY_TASKS)), MANY_TASKS);
            case "sleep1ms" -> check(kind.map(pool, sleep, items, SLEEPS), SLEEPS);
            case "seq1ms" -> {
                for (int barrier = 0; barrier < BARRIERS; barrier++) {
                    check(kind.map(pool, sleep, items, WORKERS), WORKERS);
                }
            }
            default -> throw new IllegalArgumentException("'" + test + "' is no test.");
        }
    }

    /** The same sleeps on threads of this JVM: what the barrier itself costs. */
    private static void threads() throws IOException, InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        List<Callable<Integer>> sleeps = Collections.nCopies(WORKERS, () -> sleep(0));
        try (BufferedReader commands = commands()) {
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                long beginNs = System.nanoTime();
                for (int barrier = 0; barrier < BARRIERS; barrier++) {
                    for (var each : threads.invokeAll(sleeps)) {
                        each.get();
                    }
                }
                answer(System.nanoTime() - beginNs);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void check(List<Integer> results, int count) {
        long sum = results.stream().mapToLong(Integer::longValue).sum();
        long expected = (long) count * (count - 1) / 2;
        if (results.size() != count || sum != expected) {
            throw new IllegalStateException(results.size() + " results with sum " + sum + "; expected " + count
                    + " with sum " + expected + ".");
        }
    }

    private static BufferedReader commands() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    private static void answer(long... durationsNs) {
        StringBuilder line = new StringBuilder("RESULT");
        for (long durationNs : durationsNs) {
            line.append(String.format(Locale.ROOT, " %.6f", durationNs / 1e9));
        }
        System.out.println(line);
        System.out.flush();
    }
}
