// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.tck.fault.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wall clock that is set while a session works, and before workers start: nothing that decides about life goes by it. */
@Tag("slow")
class ClockJumpTest {

    @TempDir
    Path tmp;

    private WallClock clock;

    @BeforeEach
    void makeClock() {
        assumeThat(WallClock.obstacle()).as("obstacle to a clock").isEmpty();
        clock = WallClock.in(tmp);
    }

    /** An hour is longer than any time-out. */
    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void nobodyIsLostWhenTheClockIsSet(String jump) {
        try (MasterJvm master = MasterJvm.with(clock.environment(), tmp, "slow", "1000")) {
            master.awaitLine("begins");

            clock.set(Duration.parse(jump));

            assertThat(master.awaitLine("lost")).isEqualTo("0");
            assertThat(master.awaitLine("started")).isEqualTo("2");
            master.awaitEnd();
        }
    }

    @Test
    void clockThatIsSetIsSeenByTheProcess() {
        clock.set(Duration.ofDays(400));
        long beganMs = System.currentTimeMillis();
        try (MasterJvm master = MasterJvm.with(clock.environment(), tmp, "time")) {
            long theirMs = Long.parseLong(master.awaitLine("now"));
            assertThat(Duration.ofMillis(theirMs - beganMs)).isBetween(Duration.ofDays(399), Duration.ofDays(401));
            assertThat(List.of(master.awaitLine("sum").split(" "))).containsExactly("1498500");
            master.awaitEnd();
        }
    }
}
