// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.data;

import io.fiber.Broadcast;
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
 * Moves arrays through a pool, once for each line of standard input that names a {@link Move} or {@code broadcast}, and
 * answers with a line {@code RESULT} and the seconds. {@link PlainData} and {@code data_peer.py} do the same.
 */
public final class DataProgram {
    static final int WORKERS = 4;

    private static final int BROADCAST_BYTES = 200_000_000;

    private DataProgram() {}

    /** Runs the tests that standard input names. */
    public static void main(String[] args) throws IOException {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            pool.awaitReady();
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                if (test.equals("broadcast")) {
                    broadcast(fiber, pool);
                } else {
                    move(Move.named(test), pool);
                }
            }
        }
    }

    private static void broadcast(Fiber fiber, Pool pool) {
        byte[] value = new byte[BROADCAST_BYTES];
        long beginNs = System.nanoTime();
        try (Broadcast<byte[]> all = fiber.broadcast(value)) {
            List<Integer> lengths = pool.with(CallOptions.defaults().chunkSize(1))
                    .map(i -> all.get().length, IntStream.range(0, WORKERS));
            answer(System.nanoTime() - beginNs, sum(lengths), (long) WORKERS * BROADCAST_BYTES);
        }
    }

    private static void move(Move move, Pool pool) {
        Move.Kind kind = move.kind();
        List<Object> arrays = kind.arrays();
        long beginNs = System.nanoTime();
        long bytes;
        if (move.back()) {
            List<Object> results = move.there()
                    ? pool.map(array -> array, arrays)
                    : pool.map(i -> kind.array(), IntStream.range(0, kind.count));
            bytes = results.stream().mapToLong(Move::bytes).sum();
        } else {
            bytes = sum(pool.map(Move::bytes, arrays));
        }
        answer(System.nanoTime() - beginNs, bytes, (long) kind.count * kind.bytes);
    }

    private static long sum(List<Integer> lengths) {
        return lengths.stream().mapToLong(Integer::longValue).sum();
    }

    static void answer(long tookNs, long sum, long expected) {
        if (sum != expected) {
            throw new IllegalStateException("The answers add up to " + sum + ", not to " + expected + ".");
        }
        System.out.printf(Locale.ROOT, "RESULT %.6f%n", tookNs / 1e9);
        System.out.flush();
    }
}
