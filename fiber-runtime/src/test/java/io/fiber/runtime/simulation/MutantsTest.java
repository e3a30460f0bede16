// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds each of the deliberate bugs, and nothing where there is none. {@code -Dfiber.simulation.tell=true} says by which promise. */
@Tag("soak")
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

    /** The control: without a bug, classes that come to the simulation in the same way keep all promises in the same seeds. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void simulationFindsNothingInClassesThatAreNotChanged() throws Exception {
        Set<String> sources = FOUND.keySet().stream().map(Mutant::source).collect(Collectors.toSet());
        TreeMap<Long, Long> searched = new TreeMap<>();
        for (Map.Entry<Mutant, Future<Object>> search : FOUND.entrySet()) {
            long seed = seedOf(search.getValue().get());
            searched.merge(search.getKey().firstSeed(), seed, Math::max);
        }
        MutantLoader sound = MutantLoader.ofUnchanged(sources);

        long next = 1;
        for (Map.Entry<Long, Long> row : searched.entrySet()) {
            next = Math.max(next, row.getKey());
            int count = (int) Math.max(0, row.getValue() + 1 - next);
            assertThat(firstFailure(sound, next, count)).isEqualTo("");
            next += count;
        }
        assertThat(sources).allMatch(source -> sound.isCompiledHere("io.fiber.runtime." + source.replace('/', '.')));
    }

    /** Returns the seed that a bug was found by. */
    private static long seedOf(Object found) {
        Matcher line = Pattern.compile("seed (\\d+): .*", Pattern.DOTALL).matcher(String.valueOf(found));
        assertThat(line.matches()).as("'%s' names a seed", found).isTrue();
        return Long.parseLong(line.group(1));
    }

    private static Object firstFailure(Mutant mutant) throws ReflectiveOperationException {
        return firstFailure(MutantLoader.of(mutant), mutant.firstSeed(), SEEDS);
    }

    /** What arrives is read by the classes that the thread's loader knows: they must be those with the bug. */
    private static Object firstFailure(ClassLoader mutated, long firstSeed, int seeds)
            throws ReflectiveOperationException {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        here.setContextClassLoader(mutated);
        try {
            return Class.forName(Seeds.class.getName(), true, mutated)
                    .getMethod("firstFailure", long.class, int.class, int.class)
                    .invoke(null, firstSeed, seeds, WORKERS);
        } finally {
            here.setContextClassLoader(before);
        }
    }
}
