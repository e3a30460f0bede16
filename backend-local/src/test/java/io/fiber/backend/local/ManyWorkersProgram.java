// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteIntFunction;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A master of many light workers, which says what they cost it. */
final class ManyWorkersProgram {

    private static final int FEW = 4;
    private static final int JVMS = 4;
    private static final int NODES = 63;
    private static final int THREADS = 16;
    private static final int ROUNDS = 2;

    private ManyWorkersProgram() {}

    /** What a session held, and how long its maps took. */
    private record Figures(long heapBytes, long directoryBytes, double shortSeconds, double longSeconds) {}

    public static void main(String[] args) throws IOException {
        int many = Integer.parseInt(args[0]);
        measure(FEW, 1);
        Figures few = measure(FEW, 1);
        Figures all = measure(many, 1);
        System.out.println("heap " + (all.heapBytes() - few.heapBytes()) / (many - FEW));
        System.out.println("directory " + (all.directoryBytes() - few.directoryBytes()) / (many - FEW));
        compare("seconds", many + " workers", few, all);
        compare("nodes", NODES + " workers of " + THREADS + " threads", few, measure(NODES, THREADS));
    }

    private static void compare(String line, String what, Figures few, Figures others) {
        System.out.printf(
                "%s with %d workers and %s: %.3f and %.3f for 1,000,000 tasks that return their argument (%.2f times"
                        + " the throughput), %.3f and %.3f for 100,000 of 20 microseconds (%.2f times)%n",
                line,
                FEW,
                what,
                few.shortSeconds(),
                others.shortSeconds(),
                few.shortSeconds() / others.shortSeconds(),
                few.longSeconds(),
                others.longSeconds(),
                few.longSeconds() / others.longSeconds());
    }

    private static Figures measure(int workers, int threads) throws IOException {
        try (Fiber fiber = LocalFiber.builder(new LightBackend(JVMS)).open();
                Pool pool = fiber.poolOf(workers).threadsPerWorker(threads).start()) {
            pool.waitUntilWorkersUp();
            double shortTasks = seconds(pool, 1_000_000, x -> x);
            double longTasks = seconds(pool, 100_000, ManyWorkersProgram::busy);
            if (pool.statistics().workersStarted() != workers
                    || pool.statistics().workersLost() != 0) {
                throw new IllegalStateException(pool.statistics().toString());
            }
            return new Figures(heapBytes(), directoryBytes(), shortTasks, longTasks);
        }
    }

    private static double seconds(Pool pool, int items, RemoteIntFunction<Integer> function) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long beganNs = System.nanoTime();
            List<Integer> results = pool.map(function, IntStream.range(0, items));
            best = Math.min(best, (System.nanoTime() - beganNs) / 1e9);
            for (int i = 0; i < items; i++) {
                if (results.get(i) != i) {
                    throw new IllegalStateException("result " + i + " is " + results.get(i));
                }
            }
        }
        return best;
    }

    private static int busy(int item) {
        long endNs = System.nanoTime() + 20_000;
        while (System.nanoTime() < endNs) {
            Thread.onSpinWait();
        }
        return item;
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long directoryBytes() {
        long bytes = 0;
        for (Path directory : LocalFiber.sharedMemoryOf(LocalFiber.pid())) {
            bytes += SealedSessions.bytesBelow(directory);
        }
        return bytes;
    }
}
