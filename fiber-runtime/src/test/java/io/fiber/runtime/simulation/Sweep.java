// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs a row of seeds on some threads, until all are done or enough have failed. */
final class Sweep {

    private static final long TELL_EVERY_S = 10;

    /**
     * What is to be run.
     *
     * @param failures how many seeds that break a promise are enough
     */
    record Plan(long first, int count, int threads, int failures) {}

    private final Seeds seeds;
    private final Plan plan;
    private final long startNs = System.nanoTime();
    private final TreeMap<Integer, Integer> sizes = new TreeMap<>();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private int begun;
    private int done;

    Sweep(Seeds seeds, Plan plan) {
        this.seeds = seeds;
        this.plan = plan;
    }

    /** Returns what broke, the first seed first. */
    List<BrokenPromise> run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.threads; i++) {
            Thread thread = new Thread(this::work, "seeds-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                TimeUnit.SECONDS.timedJoin(thread, TELL_EVERY_S);
                System.out.println(rate());
            }
        }
        return broken.stream().sorted(Comparator.comparing(BrokenPromise::seed)).toList();
    }

    private void work() {
        for (long seed = next(); seed >= 0; seed = next()) {
            finished(seeds.run(seed));
        }
    }

    private synchronized long next() {
        return begun == plan.count || broken.size() >= plan.failures ? -1 : plan.first + begun++;
    }

    private synchronized void finished(Seeds.Outcome outcome) {
        done++;
        sizes.merge(Integer.toString(outcome.workers()).length(), 1, Integer::sum);
        outcome.broken().ifPresent(failure -> {
            broken.add(failure);
            System.out.println("\n" + failure.getMessage() + "\nAgain: ./simulate --replay " + failure.seed() + "\n");
        });
    }

    /** Says how many have run, and how fast. */
    synchronized String rate() {
        double seconds = (System.nanoTime() - startNs) / 1e9;
        long cpu =
                ProcessHandle.current().info().totalCpuDuration().orElseThrow().toSeconds();
        return "%,d seeds in %,.0f s (%,d s of processors), %d broke a promise; "
                        .formatted(done, seconds, cpu, broken.size())
                + "workers of one, two ... digits: " + sizes;
    }
}
