// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.FiberException;
import io.fiber.PoolState;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolsTest {

    private final WorkerlessPool session = new WorkerlessPool();
    private final Pools pools = new Pools(
            session.supervisor,
            session.context,
            session.journals(),
            FiberConfig.load(ConfigSources.system(Map.of()), KnownKeys.of(List.of(), Set.of())));

    @AfterEach
    void closeSession() {
        session.close();
    }

    private PoolClient make(Optional<PoolSettings.Adaptive> adaptive) {
        PoolSettings settings = new PoolSettings(
                Optional.empty(),
                1,
                1,
                adaptive,
                JobSpec.builder(new Program.Command(List.of("worker"))).build(),
                Optional.empty(),
                OptionalInt.empty(),
                CallOptions.defaults(),
                PoolSettings.Start.WITH_FIRST_TASK);
        return pools.make(
                "late",
                "p1",
                settings,
                (needed, workers) ->
                        JobSpec.builder(new Program.Command(List.of("worker"))).build());
    }

    @Test
    void poolOfASessionWhoseConductorHasEndedHasEndedToo() {
        session.conductor.onClose();

        PoolClient pool = make(Optional.empty());

        assertThat(pool.terminated()).isCompleted();
        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThatThrownBy(() -> pool.map(i -> i, List.of(1)))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-404 Pool 'late' ended before its tasks were done:");
        assertThat(pool.awaitTermination(Duration.ZERO)).isTrue();
        pool.close();
    }

    @Test
    void workersOfAnAdaptivePoolMayBeIdleForEver() {
        session.started();

        PoolClient pool = make(Optional.of(new PoolSettings.Adaptive(0, 1, ChronoUnit.FOREVER.getDuration())));

        assertThat(pool.state()).isEqualTo(PoolState.RUNNING);
    }
}
