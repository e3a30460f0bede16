// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A flow of Reactor, one of whose steps runs in workers. It needs no scheduler: a call is a future. */
public final class ReactorFlow {
    private static final int WORKERS = 2;

    private ReactorFlow() {}

    /** Stands for a costly function. */
    static long square(int number) {
        return (long) number * number;
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            List<Long> squares = Flux.range(1, 100)
                    .flatMapSequential(
                            number -> Mono.fromFuture(() -> pool.applyAsync(ReactorFlow::square, number)), 2 * WORKERS)
                    .collectList()
                    .block();
            System.out.println(squares);
            Check.that(squares.size() == 100 && squares.get(99) == 10_000, "the squares in order");
            Check.ranInWorkers(pool, 100);
        }
    }
}
