// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;

/** A flow of RxJava, one of whose steps runs in workers. It needs no scheduler: a call is a future. */
public final class RxJavaFlow {
    private static final int WORKERS = 2;

    private RxJavaFlow() {}

    /** Stands for a costly function. */
    static long square(int number) {
        return (long) number * number;
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            List<Long> squares = Flowable.range(1, 100)
                    .concatMapEager(
                            number -> Flowable.fromCompletionStage(pool.applyAsync(RxJavaFlow::square, number)),
                            2 * WORKERS,
                            1)
                    .toList()
                    .blockingGet();
            System.out.println(squares);
            Check.that(squares.size() == 100 && squares.get(99) == 10_000, "the squares in order");
            Check.ranInWorkers(pool, 100);
        }
    }
}
