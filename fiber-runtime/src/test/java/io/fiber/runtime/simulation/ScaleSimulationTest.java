// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The measurement of {@code ./benchmark scale}, with few workers. */
class ScaleSimulationTest {

    @Test
    void whatAnActionLeadsToHappensAsMuchLaterAsTheActionTakes() {
        World world = new World(1, World.Memory.NONE);
        AtomicLong clock = new AtomicLong();
        List<String> happened = new ArrayList<>();
        world.later(60, () -> happened.add("another's at " + world.ageNs()));

        long tookNs = world.spend(
                () -> {
                    world.later(0, () -> happened.add("its own at " + world.ageNs()));
                    clock.addAndGet(100);
                },
                clock::get);
        while (world.step()) {}

        assertThat(tookNs).isEqualTo(100);
        assertThat(happened).containsExactly("another's at 60", "its own at 100");
    }

    @Test
    void mapTakesTheIdealTimeAndWhatTheMasterAddsToIt() {
        try (LogWatch log = new LogWatch()) {
            ScaleSimulation session = new ScaleSimulation(8, log);
            session.start();

            ScaleSimulation.Figures took = session.map(10_000_000, 80, OptionalInt.of(1));

            assertThat(took.elapsedNs()).isGreaterThan(100_000_000);
            assertThat(took.conductorNs()).isPositive();
            assertThat(took.callerNs()).isPositive();
            assertThat(took.frames()).isPositive();
            assertThat(took.cycles()).isPositive();
        }
    }

    @Test
    void eachMeasurementIsALine() {
        List<String> lines = new ArrayList<>();
        try (LogWatch log = new LogWatch()) {
            new Scale(log, lines::add).measure(4, new Scale.Plan(1, List.of(new Scale.Tasks(1_000_000, 10)), 1));
        }

        assertThat(lines)
                .hasSize(5)
                .allMatch(line -> line.matches("\\{\"test\": \"\\w+\",.* \"workers\": 4, .*[0-9]}"))
                .anyMatch(line -> line.startsWith("{\"test\": \"start\""))
                .anyMatch(line -> line.contains("\"call\": \"default\""))
                .anyMatch(line -> line.contains("\"call\": \"separate\""))
                .anyMatch(line -> line.startsWith("{\"test\": \"evolution\""))
                .anyMatch(line -> line.startsWith("{\"test\": \"memory\""));
    }
}
