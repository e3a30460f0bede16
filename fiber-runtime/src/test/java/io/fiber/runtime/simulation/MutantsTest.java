// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds each deliberate bug in words, a third of those that operators make, and nothing where there is none.
 * {@code -Dfiber.simulation.tell=true} says by which promise, and which bugs it does not find.
 */
@Tag("soak")
class MutantsTest {

    private static final int SEEDS = 5_000;
    private static final int SEEDS_OF_GENERATED = 12;
    private static final int WORKERS = 12;
    private static final boolean TELLS = Boolean.getBoolean("fiber.simulation.tell");

    private static final Map<Mutant, Future<String>> FOUND = new HashMap<>();
    private static final List<Mutant> GENERATED = new ArrayList<>();
    private static Seeds quiet;
    private static ExecutorService threads;

    /** Each search is one thread's work; two are made at a time. */
    @BeforeAll
    static void beginToSearch() {
        // What each search does to the log and standard error is in force around all of them.
        quiet = new Seeds(WORKERS);
        threads = Executors.newFixedThreadPool(2);
        for (Mutant mutant : Mutants.byHand()) {
            FOUND.put(mutant, threads.submit(() -> firstFailure(mutant, SEEDS)));
        }
        Mutants.machines().forEach(machine -> GENERATED.addAll(Mutant.in(machine)));
        for (Mutant mutant : GENERATED) {
            FOUND.put(mutant, threads.submit(() -> firstFailure(mutant, SEEDS_OF_GENERATED)));
        }
    }

    @AfterAll
    static void endSearch() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        FOUND.clear();
        GENERATED.clear();
        quiet.close();
    }

    @ParameterizedTest
    @MethodSource("io.fiber.runtime.simulation.Mutants#byHand")
    void simulationFinds(Mutant mutant) throws Exception {
        String found = requireNonNull(FOUND.get(mutant), "search").get();
        tell(mutant, found);
        assertThat(found).isNotEmpty();
    }

    /** The rest changes nothing that is wrong, or only a count, the words of an error or what something costs; or other tests find it. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void simulationFindsAThirdOfWhatOperatorsMake() throws Exception {
        List<Mutant> missed = new ArrayList<>();
        for (Mutant mutant : GENERATED) {
            String found = requireNonNull(FOUND.get(mutant), "search").get();
            tell(mutant, found);
            if (found.isEmpty()) {
                missed.add(mutant);
            }
        }
        assertThat(missed).hasSizeLessThan(GENERATED.size() * 2 / 3);
    }

    /** The control: without a bug, classes that come to the simulation in the same way keep all promises in the same seeds. */
    @Test
    void simulationFindsNothingInClassesThatAreNotChanged() throws Exception {
        MutantLoader sound = new MutantLoader(null);

        assertThat(firstFailure(sound, 1, SEEDS_OF_GENERATED)).isEmpty();
        for (Mutant mutant : Mutants.byHand()) {
            long seed = Long.parseLong(
                    requireNonNull(FOUND.get(mutant), "search").get().split("[ :]", -1)[1]);
            assertThat(firstFailure(sound, seed, 1)).as("seed %s", seed).isEmpty();
        }
    }

    private static void tell(Mutant mutant, String found) {
        if (TELLS) {
            System.out.println("| " + mutant + " | " + found.lines().findFirst().orElse("missed") + " |");
        }
    }

    /** Searches in a thread of its own: what stays in the variables of a thread would keep all its classes in memory. */
    private static String firstFailure(Mutant mutant, int seeds) throws Exception {
        FutureTask<String> search =
                new FutureTask<>(() -> firstFailure(new MutantLoader(mutant), mutant.firstSeed(), seeds));
        Thread thread = new Thread(search, mutant.name());
        thread.setDaemon(true);
        thread.start();
        return search.get();
    }

    /** What arrives is read by the classes that the thread's loader knows: they must be those with the bug. */
    private static String firstFailure(ClassLoader mutated, long firstSeed, int seeds)
            throws ReflectiveOperationException {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        here.setContextClassLoader(mutated);
        try {
            Class<?> simulation = Class.forName(Seeds.class.getName(), true, mutated);
            for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
                String found = firstFailure(simulation, seed);
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return "";
        } finally {
            here.setContextClassLoader(before);
        }
    }

    private static String firstFailure(Class<?> simulation, long seed) throws ReflectiveOperationException {
        try {
            return (String) simulation
                    .getMethod("firstFailure", long.class, int.class, int.class)
                    .invoke(null, seed, 1, WORKERS);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof LinkageError broken) {
                throw broken;
            }
            return "seed " + seed + ": " + e.getCause();
        }
    }
}
