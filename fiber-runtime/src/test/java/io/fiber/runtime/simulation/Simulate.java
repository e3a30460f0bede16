// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The program behind {@code ./simulate}: runs schedules, tells the first that breaks a promise, and repeats one. */
public final class Simulate {

    private static final String USAGE = """
            Usage: ./simulate [--seeds N] [--workers W] [--first SEED] [--threads T] [--failures F]
                       run N schedules of at most W workers, until F of them break a promise
                   ./simulate --replay SEED [--workers W]
                       tell the whole story of one""";

    private static final int STACK_LINES = 12;

    private Simulate() {}

    /** Runs the program. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    private static int run(String[] args) throws InterruptedException {
        Map<String, Integer> options = new TreeMap<>(Map.of(
                "--seeds", 1_000, "--workers", 50, "--first", 1, "--threads", 1, "--failures", 1, "--replay", 0));
        for (int i = 0; i < args.length; i += 2) {
            if (!options.containsKey(args[i]) || i + 1 == args.length || !args[i + 1].matches("[1-9]\\d{0,8}")) {
                System.err.println("Argument '" + args[i] + "' is unknown, or is not followed by a number.\n" + USAGE);
                return 2;
            }
            options.put(args[i], Integer.valueOf(args[i + 1]));
        }
        ToIntFunction<String> option = name -> requireNonNull(options.get(name), name);
        try (Seeds seeds = new Seeds(option.applyAsInt("--workers"))) {
            int replay = option.applyAsInt("--replay");
            return replay > 0
                    ? replay(seeds, replay)
                    : sweep(new Sweep(
                            seeds,
                            new Sweep.Plan(
                                    option.applyAsInt("--first"),
                                    option.applyAsInt("--seeds"),
                                    option.applyAsInt("--threads"),
                                    option.applyAsInt("--failures"))));
        }
    }

    private static int sweep(Sweep sweep) throws InterruptedException {
        List<BrokenPromise> broken = sweep.run();
        broken.stream().findFirst().ifPresent(Simulate::tell);
        return broken.isEmpty() ? 0 : 1;
    }

    private static int replay(Seeds seeds, long seed) {
        Optional<BrokenPromise> broken = seeds.run(seed).broken();
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
