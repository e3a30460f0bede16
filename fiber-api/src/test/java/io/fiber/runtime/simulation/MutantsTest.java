// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
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

    @ParameterizedTest
    @MethodSource("mutants")
    void simulationFinds(Mutant mutant) throws ReflectiveOperationException {
        Object found = firstFailure(MutantLoader.of(mutant));
        if (Boolean.getBoolean("fiber.simulation.tell")) {
            System.out.println("| " + mutant + " | " + found + " |");
        }
        assertThat(found).asString().isNotEmpty();
    }

    /** What arrives is read by the classes that the thread's loader knows: they must be those with the bug. */
    private static Object firstFailure(ClassLoader mutated) throws ReflectiveOperationException {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        here.setContextClassLoader(mutated);
        try {
            return Class.forName(Seeds.class.getName(), true, mutated)
                    .getMethod("firstFailure", int.class, int.class)
                    .invoke(null, SEEDS, WORKERS);
        } finally {
            here.setContextClassLoader(before);
        }
    }
}
