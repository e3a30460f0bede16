// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Drives the pool's machine through random orders of events. {@code -Dfiber.simulation.seeds=100000} tries more of them;
 * {@code -Dfiber.simulation.seed=17} repeats one and prints its story.
 */
class PoolMachineSimulationTest {

    private static final int SEEDS = Integer.getInteger("fiber.simulation.seeds", 400);

    @Test
    void anyOrderOfEventsKeepsThePromises() {
        Long only = Long.getLong("fiber.simulation.seed");
        if (only != null) {
            PoolSimulation simulation = new PoolSimulation(only);
            simulation.run();
            System.out.println(simulation.story());
            return;
        }
        List<Throwable> failures = new ArrayList<>();
        LongStream.rangeClosed(1, SEEDS).forEach(seed -> {
            try {
                new PoolSimulation(seed).run();
            } catch (RuntimeException | AssertionError failure) {
                failures.add(failure instanceof AssertionError ? failure : new AssertionError("Seed " + seed, failure));
            }
        });
        assertThat(failures.size()).as("failed seeds of %s, the first: %s", SEEDS, first(failures)).isZero();
    }

    private static String first(List<Throwable> failures) {
        return failures.isEmpty() ? "none" : org.assertj.core.util.Throwables.getStackTrace(failures.get(0));
    }
}
