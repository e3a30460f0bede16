// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.data;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteCallable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Submits tasks one by one and waits for all results, once for each line of standard input that says how, and answers with
 * a line {@code RESULT} and the seconds. {@code singles_peer.py} does the same with {@code apply_async}.
 */
public final class SinglesProgram {
    private static final int TASKS = 10_000;

    private SinglesProgram() {}

    static int same(int item) {
        return item;
    }

    /** Runs the tests that standard input names: {@code callable}, {@code function} or {@code executor}. */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(DataProgram.WORKERS)) {
            pool.awaitReady();
            ExecutorService executor = pool.asExecutorService();
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                submit(
                        switch (test) {
                            case "callable" -> i -> pool.applyAsync(() -> same(i));
                            case "function" -> i -> pool.applyAsync(SinglesProgram::same, i);
                            case "executor" -> i -> executor.submit((RemoteCallable<Integer>) () -> same(i));
                            default -> throw new IllegalArgumentException("There is no test '" + test + "'.");
                        });
            }
        }
    }

    private static void submit(IntFunction<Future<Integer>> way) throws InterruptedException, ExecutionException {
        long beginNs = System.nanoTime();
        List<Future<Integer>> results = IntStream.range(0, TASKS).mapToObj(way).toList();
        long sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get();
        }
        DataProgram.answer(System.nanoTime() - beginNs, sum, (long) TASKS * (TASKS - 1) / 2);
    }
}
