// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** A program whose workers are at work until somebody ends it. */
public final class Endless {

    private static final int WORKERS = 2;

    private Endless() {}

    static int ready(int number) {
        return number;
    }

    static int last(int number) throws InterruptedException {
        new CountDownLatch(1).await();
        return number;
    }

    /** Says so when its workers have done something. */
    public static void main(String[] arguments) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.map(Endless::ready, IntStream.range(0, WORKERS));
            System.out.println("at work");
            pool.map(Endless::last, IntStream.range(0, WORKERS));
        }
    }
}
