// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Futures and a cache of Guava, whose values are computed in workers. */
public final class GuavaFutures {
    private GuavaFutures() {}

    /** Stands for a costly function. */
    static long square(int number) {
        return (long) number * number;
    }

    public static void main(String[] args) throws ExecutionException, InterruptedException {
        ListeningExecutorService threads = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(4));
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            Function<Integer, Long> square = pool.remote(GuavaFutures::square);
            List<ListenableFuture<Long>> futures = IntStream.rangeClosed(1, 100)
                    .mapToObj(number -> threads.submit(() -> square.apply(number)))
                    .toList();
            List<Long> squares = Futures.allAsList(futures).get();
            Check.that(squares.get(99) == 10_000, "the squares in order, not " + squares);

            LoadingCache<Integer, Long> cache =
                    CacheBuilder.newBuilder().maximumSize(1000).build(CacheLoader.from(square::apply));
            Check.that(cache.get(12) == 144 && cache.get(12) == 144, "a square of the cache");
            Check.that(pool.statistics().tasksDone() <= 101, "one task for a number that is asked for twice");
            Check.ranInWorkers(pool, 101);
        } finally {
            threads.shutdown();
        }
    }
}
