// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The program behind {@code ./benchmark scale}: what the master of many workers does in time, in virtual time. Writes a JSON
 * object for each measurement.
 */
public final class Scale {

    private static final int WARM_UP_WORKERS = 64;
    private static final int WARM_UP_SESSIONS = 3;
    private static final int COLLECTIONS = 3;

    /** Tasks that all take the same time. */
    record Tasks(long taskNs, int ofEachWorker) {}

    /**
     * What is measured with a number of workers.
     *
     * @param rounds how often each map is run
     * @param tasks what is mapped, by the default call and with chunks of one item
     * @param iterations how many iterations of the case of Fiber's paper are measured as well
     */
    record Plan(int rounds, List<Tasks> tasks, int iterations) {}

    private static final List<Tasks> TASKS =
            List.of(new Tasks(10_000_000, 200), new Tasks(100_000_000, 40), new Tasks(1_000_000_000, 10));

    private static final int POPULATION = 2_048;
    private static final int ITERATIONS = 50;
    /** With 32 workers the paper's program took 1,478 s: so long a task is when nothing else took time. */
    private static final long EVALUATION_NS = 1_478_000_000_000L * 32 / (POPULATION * ITERATIONS);
    /** The paper ends there. */
    private static final int MOST_WORKERS_OF_EVOLUTION = 1_024;

    private final LogWatch log;
    private final Consumer<String> out;

    Scale(LogWatch log, Consumer<String> out) {
        this.log = log;
        this.out = out;
    }

    /** Takes the number of rounds, and the numbers of workers. */
    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        try (LogWatch log = new LogWatch()) {
            Scale warmUp = new Scale(log, line -> {});
            for (int session = 0; session < WARM_UP_SESSIONS; session++) {
                warmUp.measure(WARM_UP_WORKERS, new Plan(2, TASKS, ITERATIONS));
            }
            Scale scale = new Scale(log, System.out::println);
            Arrays.stream(args)
                    .skip(1)
                    .mapToInt(Integer::parseInt)
                    .forEach(workers -> scale.measure(
                            workers, new Plan(rounds, TASKS, workers <= MOST_WORKERS_OF_EVOLUTION ? ITERATIONS : 0)));
        }
    }

    /** Measures a session with so many workers. */
    void measure(int workers, Plan plan) {
        long withMaster = run(workers, plan);
        tell(
                "\"test\": \"memory\", \"workers\": %d, \"heap_bytes_each\": %d",
                workers, (withMaster - heapBytes()) / workers);
    }

    /** Returns how large the heap is when the workers are forgotten, and the master is not. */
    private long run(int workers, Plan plan) {
        ScaleSimulation session = new ScaleSimulation(workers, log);
        ScaleSimulation.Figures start = session.start();
        tell(
                "\"test\": \"start\", \"workers\": %d, \"seconds\": %.3f, \"conductor_s\": %.3f",
                workers, start.elapsedNs() / 1e9, start.conductorNs() / 1e9);
        for (Tasks tasks : plan.tasks) {
            for (int round = 0; round < plan.rounds; round++) {
                map(session, workers, tasks, OptionalInt.empty());
                map(session, workers, tasks, OptionalInt.of(1));
            }
        }
        if (plan.iterations > 0) {
            evolution(session, workers, plan.iterations);
        }
        session.forgetWorkers();
        try {
            return heapBytes();
        } finally {
            Reference.reachabilityFence(session);
        }
    }

    private void map(ScaleSimulation session, int workers, Tasks tasks, OptionalInt chunkSize) {
        int count = workers * tasks.ofEachWorker;
        ScaleSimulation.Figures took = session.map(tasks.taskNs, count, chunkSize);
        double idealNs = (double) tasks.taskNs * tasks.ofEachWorker;
        tell(
                "\"test\": \"map\", \"call\": \"%s\", \"workers\": %d, \"task_ms\": %d, \"tasks\": %d, \"seconds\": %.4f,"
                        + " \"ideal_s\": %.1f, \"efficiency\": %.4f, \"conductor_us_a_task\": %.3f,"
                        + " \"caller_us_a_task\": %.3f, \"conductor_busy\": %.3f, \"cycles\": %d, \"frames_a_task\": %.3f",
                chunkSize.isPresent() ? "separate" : "default",
                workers,
                tasks.taskNs / 1_000_000,
                count,
                took.elapsedNs() / 1e9,
                idealNs / 1e9,
                idealNs / took.elapsedNs(),
                took.conductorNs() / 1e3 / count,
                took.callerNs() / 1e3 / count,
                (double) took.conductorNs() / took.elapsedNs(),
                took.cycles(),
                (double) took.frames() / count);
    }

    private void evolution(ScaleSimulation session, int workers, int iterations) {
        long elapsedNs = 0;
        long conductorNs = 0;
        for (int iteration = 0; iteration < iterations; iteration++) {
            ScaleSimulation.Figures took = session.map(EVALUATION_NS, POPULATION, OptionalInt.empty());
            elapsedNs += took.elapsedNs();
            conductorNs += took.conductorNs();
        }
        int rounds = (POPULATION + workers - 1) / workers;
        double idealNs = (double) iterations * rounds * EVALUATION_NS;
        tell(
                "\"test\": \"evolution\", \"workers\": %d, \"seconds\": %.2f, \"ideal_s\": %.2f, \"efficiency\": %.4f,"
                        + " \"conductor_s\": %.3f",
                workers, elapsedNs / 1e9, idealNs / 1e9, idealNs / elapsedNs, conductorNs / 1e9);
    }

    private void tell(String format, Object... values) {
        out.accept("{" + String.format(Locale.ROOT, format, values) + "}");
    }

    private static long heapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
