// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds each of the deliberate bugs. {@code -Dfiber.simulation.tell=true} says by which promise. */
class MutantsTest {

    private static final int SEEDS = 5_000;
    private static final int WORKERS = 12;

    static List<Mutant> mutants() {
        return Stream.of(
                        Mutants.all(),
                        Mutants.more(),
                        RetryMutants.ofTries(),
                        RetryMutants.ofGrants(),
                        ThreadMutants.all(),
                        SharedMutants.ofQueues(),
                        SharedMutants.ofLocksAndCalls())
                .flatMap(List::stream)
                .toList();
    }

    private static final Map<Mutant, Future<Object>> FOUND = new HashMap<>();
    private static Seeds quiet;
    private static ExecutorService threads;

    /** Each search is one thread's work; two are made at a time. */
    @BeforeAll
    static void beginToSearch() {
        quiet = new Seeds(
                WORKERS); // What each search does to the log and standard error is in force around all of them.
        threads = Executors.newFixedThreadPool(2);
        mutants().forEach(mutant -> FOUND.put(mutant, threads.submit(() -> firstFailure(mutant))));
    }

    @AfterAll
    static void endSearch() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        FOUND.clear();
        quiet.close();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void simulationFinds(Mutant mutant) throws Exception {
        Object found = requireNonNull(FOUND.get(mutant), "search").get();
        if (Boolean.getBoolean("fiber.simulation.tell")) {
            System.out.println("| " + mutant + " | " + found + " |");
        }
        assertThat(found).asString().isNotEmpty();
    }

    /** What arrives is read by the classes that the thread's loader knows: they must be those with the bug. */
    private static Object firstFailure(Mutant mutant) throws ReflectiveOperationException {
        ClassLoader mutated = MutantLoader.of(mutant);
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        here.setContextClassLoader(mutated);
        try {
            return Class.forName(Seeds.class.getName(), true, mutated)
                    .getMethod("firstFailure", long.class, int.class, int.class)
                    .invoke(null, mutant.firstSeed(), SEEDS, WORKERS);
        } finally {
            here.setContextClassLoader(before);
        }
    }
}
