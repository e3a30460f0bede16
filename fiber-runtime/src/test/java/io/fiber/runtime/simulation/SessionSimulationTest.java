// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred schedules of a session; {@code ./simulate} runs more, and repeats one. */
class SessionSimulationTest {

    private static final int SEEDS = Integer.getInteger("fiber.simulation.seeds", 100);
    private static final int MORE_SEEDS = 5_000;
    private static final int WORKERS = 50;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void anyOrderOfFaultsKeepsThePromises() {
        assertThat(Seeds.firstFailure(1, SEEDS, WORKERS)).isEmpty();
    }

    @Test
    @Tag("soak")
    void anyOrderOfFaultsKeepsThePromisesInManySeeds() {
        assertThat(Seeds.firstFailure(SEEDS + 1, MORE_SEEDS, WORKERS)).isEmpty();
    }

    @Test
    void aSeedRepeatsItsStory() {
        try (Seeds seeds = new Seeds(WORKERS)) {
            assertThat(seeds.story(17)).isEqualTo(seeds.story(17)).contains("submit call 1");
        }
    }
}
