// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The program behind {@code ./simulate}: runs schedules, tells the first that breaks a promise, and repeats one. */
public final class Simulate {

    private static final String USAGE = """
            Usage: ./simulate [--seeds N] [--workers W] [--first SEED]   run N schedules of at most W workers
                   ./simulate --replay SEED [--workers W]                tell the whole story of one""";

    private static final long TELL_EVERY_NS = 10_000_000_000L;
    private static final int STACK_LINES = 12;

    private Simulate() {}

    /** Runs the program. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String[] args) {
        Map<String, Long> options = new TreeMap<>(Map.of("--seeds", 1_000L, "--workers", 50L, "--first", 1L));
        for (int i = 0; i < args.length; i += 2) {
            boolean known = options.containsKey(args[i]) || args[i].equals("--replay");
            if (!known || i + 1 == args.length || !args[i + 1].matches("\\d{1,9}")) {
                System.err.println("Argument '" + args[i] + "' is unknown, or is not followed by a number.\n" + USAGE);
                return 2;
            }
            options.put(args[i], Long.parseLong(args[i + 1]));
        }
        Seeds seeds = new Seeds(Math.toIntExact(Math.max(1, options.getOrDefault("--workers", 1L))));
        Long replay = options.get("--replay");
        return replay == null
                ? runAll(
                        seeds,
                        options.getOrDefault("--first", 1L),
                        Math.toIntExact(options.getOrDefault("--seeds", 1L)))
                : replay(seeds, replay);
    }

    private static int runAll(Seeds seeds, long first, int count) {
        long startNs = System.nanoTime();
        long[] toldNs = {startNs};
        Optional<BrokenPromise> broken = seeds.run(first, count, seed -> {
            long nowNs = System.nanoTime();
            if (nowNs - toldNs[0] > TELL_EVERY_NS) {
                toldNs[0] = nowNs;
                System.out.println(rate(seed - first + 1, nowNs - startNs));
            }
        });
        broken.ifPresent(Simulate::tell);
        long done = broken.isPresent() ? broken.get().seed() - first + 1 : count;
        System.out.println(rate(done, System.nanoTime() - startNs)
                + (broken.isPresent() ? ", the last one failed." : ", every promise was kept."));
        return broken.isPresent() ? 1 : 0;
    }

    private static String rate(long seeds, long tookNs) {
        return "%,d schedules of a session and as many of a pool's machine in %,.1f s: %,.1f of each a second"
                .formatted(seeds, tookNs / 1e9, seeds * 1e9 / tookNs);
    }

    private static int replay(Seeds seeds, long seed) {
        Optional<BrokenPromise> broken = seeds.run(seed, 1, done -> {});
        if (broken.isEmpty()) {
            System.out.println(seeds.story(seed));
            System.out.println("Seed " + seed + " keeps every promise.");
            return 0;
        }
        tell(broken.get());
        return 1;
    }

    private static void tell(BrokenPromise broken) {
        System.out.println(broken.story());
        System.out.println("\nSeed " + broken.seed() + ": " + broken.what());
        Throwable cause = broken.getCause() == null ? broken : broken.getCause();
        StackTraceElement[] frames = cause.getStackTrace();
        for (int i = 0; i < Math.min(frames.length, STACK_LINES); i++) {
            System.out.println("    at " + frames[i]);
        }
        System.out.println("Again: ./simulate --replay " + broken.seed() + "\n");
    }
}
