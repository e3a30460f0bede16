// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.simulation.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Drives the pool's machine through random orders of events. {@code -Dfiber.simulation.seeds=100000} tries more of them;
 * {@code -Dfiber.simulation.seed=17} repeats one and prints its story.
 */
class PoolMachineSimulationTest {

    private static final int SEEDS = Integer.getInteger("fiber.simulation.seeds", 1_000);
    private static final int ENOUGH_FAILURES = 3;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void anyOrderOfEventsKeepsThePromises() {
        Long only = Long.getLong("fiber.simulation.seed");
        if (only != null) {
            System.out.println(PoolSchedule.run(only, World.Memory.STORY));
            return;
        }
        List<Throwable> failures = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS && failures.size() < ENOUGH_FAILURES; seed++) {
            try {
                PoolSchedule.run(seed, World.Memory.STORY);
            } catch (RuntimeException | AssertionError failure) {
                failures.add(new AssertionError("Seed " + seed, failure));
            }
        }
        assertThat(failures.isEmpty())
                .withFailMessage(() -> Throwables.getStackTrace(failures.get(0)))
                .isTrue();
    }
}
