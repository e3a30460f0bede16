// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Programs that Slurm starts as jobs, so that they are masters on a node; they say what they see in lines. */
public final class InsideProgram {

    private InsideProgram() {}

    /** Runs the program of this name. */
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "steps" -> steps(3);
            case "more" -> steps(5);
            case "kill" -> kill();
            case "stay" -> stay();
            case "gpus" -> gpus();
            case "limit" -> limit();
            case "sweep" -> sweep(Path.of(arguments[1]), arguments[2], Integer.parseInt(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Returns the number of the job that this process belongs to, and of its step when it is one. */
    static String place() {
        String step = System.getenv("SLURM_STEP_ID");
        return System.getenv("SLURM_JOB_ID") + (step == null ? "" : "." + step);
    }

    private static String placeAfterAWhile(int number) throws InterruptedException {
        Thread.sleep(20);
        return place();
    }

    /** Returns where all workers of a pool are. */
    private static Set<String> places(Pool pool, int count) {
        Set<String> places = new TreeSet<>();
        while (places.size() < count) {
            List<String> seen = pool.map(InsideProgram::placeAfterAWhile, IntStream.range(0, 100));
            places.addAll(seen);
        }
        return places;
    }

    private static int square(String ends, int number) throws InterruptedException, IOException {
        Thread.sleep(1_000);
        Files.writeString(Path.of(ends), number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return number * number;
    }

    /** Has two workers, which are jobs of their own, and goes on where the run before was. */
    private static void sweep(Path journal, String ends, int items) {
        System.out.println("begins");
        try (Fiber fiber = KitFiber.inside()
                        .set("fiber.slurm.steps", "false")
                        .set("fiber.slurm.memory", "128m")
                        .open();
                Pool pool = fiber.pool(2)) {
            List<Integer> squares = pool.with(CallOptions.defaults().journal(journal))
                    .map((Integer number) -> square(ends, number), IntStream.range(0, items));
            System.out.println(
                    "sum " + squares.stream().mapToInt(Integer::intValue).sum());
        }
    }

    private static void steps(int workers) {
        try (Fiber fiber = KitFiber.inside().open();
                Pool pool = fiber.pool(workers)) {
            System.out.println("backend " + fiber.describe().lines().findFirst().orElse(""));
            System.out.println("places " + String.join(" ", places(pool, workers)));
            Cluster.run("squeue", "-h", "-s", "-j", System.getenv("SLURM_JOB_ID"), "-o", "%i %j")
                    .lines()
                    .forEach(line -> System.out.println("step " + line.strip()));
        }
    }

    private static String placeAndGpu(int number) throws InterruptedException {
        return placeAfterAWhile(number) + "=" + System.getenv("CUDA_VISIBLE_DEVICES");
    }

    /** Has three workers, which need a GPU each. */
    private static void gpus() {
        try (Fiber fiber = KitFiber.inside().open();
                Pool pool = fiber.pool(3)) {
            Set<String> seen = new TreeSet<>();
            while (seen.size() < 3) {
                seen.addAll(pool.map(InsideProgram::placeAndGpu, IntStream.range(0, 100)));
            }
            System.out.println("gpus " + String.join(" ", seen));
        }
    }

    /** Returns how much processor time this process may use, as the kernel says. */
    private static String timeLimit() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max cpu time"))
                .map(line -> line.split("\\s{2,}", -1)[1])
                .findFirst()
                .orElseThrow();
    }

    private static void limit() throws IOException {
        try (Fiber fiber = KitFiber.builder("128m per-cpu").open();
                Pool pool = fiber.pool(1)) {
            System.out.println("limits " + timeLimit() + " " + pool.apply(InsideProgram::timeLimit));
        }
    }

    /** Has more workers than the cluster has processors, until it is killed. */
    private static void stay() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(20)) {
            pool.map(InsideProgram::placeAfterAWhile, IntStream.range(0, 100_000));
        }
    }

    private static int die() {
        Runtime.getRuntime().halt(9);
        return 0;
    }

    private static void kill() {
        try (Fiber fiber = KitFiber.inside().open();
                Pool pool = fiber.poolBuilder(3)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            Set<String> before = places(pool, 3);
            try {
                pool.apply(InsideProgram::die);
            } catch (RuntimeException e) {
                System.out.println("died " + e.getClass().getSimpleName());
            }
            Set<String> all = new TreeSet<>(before);
            while (all.size() < 4) {
                all.addAll(pool.map(InsideProgram::placeAfterAWhile, IntStream.range(0, 100)));
            }
            all.removeAll(before);
            System.out.println("before " + String.join(" ", before));
            System.out.println("after " + String.join(" ", all));
        }
    }
}
