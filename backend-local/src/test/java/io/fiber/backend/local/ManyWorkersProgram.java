// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import io.fiber.spi.backend.BackendProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** A master of many light workers, which says what they cost it. */
final class ManyWorkersProgram {

    private static final int FEW = 4;
    private static final int JVMS = 4;
    private static final int NODES = 63;
    private static final int THREADS = 16;
    /** What a compiler makes of the same code differs from session to session: one of each would tell little. */
    private static final int PAIRS = 3;

    /** The first hundred run code that is being compiled, by four fresh JVMs in each session. */
    private static final int SHORT_ROUNDS = 150;

    private static final int LONG_ROUNDS = 10;
    private static final int WARM_ROUNDS = 5;

    private ManyWorkersProgram() {}

    /** What a session held, and how long its maps took. */
    private record Figures(long heapBytes, long directoryBytes, Rounds shortTasks, Rounds longTasks) {}

    /** How long the same map took: the first time, and the median of the last five. */
    private record Rounds(double first, double warm) {}

    /** Takes how many light workers are many; with {@code processes}, pools of as many JVMs as workers are told beside. */
    public static void main(String[] args) throws IOException {
        int many = Integer.parseInt(args[0]);
        BackendProvider light = new LightBackend(JVMS);
        measure(light, FEW, 1);
        List<Figures> few = new ArrayList<>();
        List<Figures> all = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            few.add(measure(light, FEW, 1));
            all.add(measure(light, many, 1));
        }
        Figures one = few.get(0);
        System.out.println("heap " + (all.get(0).heapBytes() - one.heapBytes()) / (many - FEW));
        System.out.println("directory " + (all.get(0).directoryBytes() - one.directoryBytes()) / (many - FEW));
        compare("seconds", many + " workers", few, all);
        compare("nodes", NODES + " workers of " + THREADS + " threads", few, List.of(measure(light, NODES, THREADS)));
        if (List.of(args).contains("processes")) {
            BackendProvider real = new LocalBackendProvider();
            List<Figures> fewReal = List.of(measure(real, FEW, 1));
            compare(
                    "processes",
                    NODES + " JVMs of " + THREADS + " threads",
                    fewReal,
                    List.of(measure(real, NODES, THREADS)));
        }
    }

    private static void compare(String line, String what, List<Figures> few, List<Figures> others) {
        System.out.printf(
                "%s with %d workers and %s: %s for 1,000,000 tasks that return their argument, %s for 100,000 of 20"
                        + " microseconds%n",
                line, FEW, what, compared(few, others, Figures::shortTasks), compared(few, others, Figures::longTasks));
    }

    private static String compared(List<Figures> few, List<Figures> others, Function<Figures, Rounds> tasks) {
        List<Rounds> ofFew = few.stream().map(tasks).toList();
        List<Rounds> ofOthers = others.stream().map(tasks).toList();
        return "first " + told(ofFew, Rounds::first) + " and " + told(ofOthers, Rounds::first) + ", warm "
                + told(ofFew, Rounds::warm) + " and " + told(ofOthers, Rounds::warm)
                + String.format(
                        Locale.ROOT,
                        " (%.2f times the throughput)",
                        median(ofFew, Rounds::warm) / median(ofOthers, Rounds::warm));
    }

    /** Returns the median and, of several, the least and the greatest. */
    private static String told(List<Rounds> sessions, ToDoubleFunction<Rounds> seconds) {
        DoubleSummaryStatistics all = sessions.stream().mapToDouble(seconds).summaryStatistics();
        String median = String.format(Locale.ROOT, "%.3f", median(sessions, seconds));
        return sessions.size() == 1
                ? median
                : median + String.format(Locale.ROOT, " [%.3f to %.3f]", all.getMin(), all.getMax());
    }

    private static double median(List<Rounds> sessions, ToDoubleFunction<Rounds> seconds) {
        return sessions.stream().mapToDouble(seconds).sorted().toArray()[sessions.size() / 2];
    }

    private static Figures measure(BackendProvider backend, int workers, int threads) throws IOException {
        try (Fiber fiber = LocalFiber.builder(backend).open();
                Pool pool = fiber.poolBuilder(workers).threadsPerWorker(threads).start()) {
            pool.awaitReady();
            Rounds shortTasks = seconds(pool, new double[SHORT_ROUNDS], 1_000_000, x -> x);
            Rounds longTasks = seconds(pool, new double[LONG_ROUNDS], 100_000, ManyWorkersProgram::busy);
            if (pool.statistics().workersStarted() != workers
                    || pool.statistics().workersLost() != 0) {
                throw new IllegalStateException(pool.statistics().toString());
            }
            return new Figures(heapBytes(), directoryBytes(), shortTasks, longTasks);
        }
    }

    private static Rounds seconds(Pool pool, double[] rounds, int items, RemoteFunction<Integer, Integer> function) {
        for (int round = 0; round < rounds.length; round++) {
            long beganNs = System.nanoTime();
            List<Integer> results = pool.map(function, IntStream.range(0, items));
            rounds[round] = (System.nanoTime() - beganNs) / 1e9;
            for (int i = 0; i < items; i++) {
                if (results.get(i) != i) {
                    throw new IllegalStateException("result " + i + " is " + results.get(i));
                }
            }
        }
        double[] last = Arrays.copyOfRange(rounds, rounds.length - WARM_ROUNDS, rounds.length);
        Arrays.sort(last);
        return new Rounds(rounds[0], last[WARM_ROUNDS / 2]);
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
