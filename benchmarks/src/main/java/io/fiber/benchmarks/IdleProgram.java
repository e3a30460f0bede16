// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.util.stream.IntStream;

/** Does nothing until its standard input ends: with a pool of 4 that has run some tasks, or without Fiber. */
public final class IdleProgram {
    private static final int WORKERS = 4;
    private static final int TASKS = 10_000;

    private IdleProgram() {}

    /** Takes {@code fiber} or {@code jvm}. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("jvm")) {
            awaitEnd();
            return;
        }
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.awaitReady();
            pool.map(task -> task, IntStream.range(0, TASKS));
            awaitEnd();
        }
    }

    private static void awaitEnd() throws IOException {
        System.out.println("RESULT 0");
        System.out.flush();
        while (System.in.read() >= 0) {}
    }
}
