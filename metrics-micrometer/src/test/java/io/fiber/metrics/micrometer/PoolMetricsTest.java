// SPDX-License-Identifier: Apache-2.0
package io.fiber.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.function.RemoteFunction;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {

    @Test
    void metersFollowAPool() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (Fiber fiber = Fiber.builder().set("fiber.cds", "false").open();
                Pool pool = fiber.poolBuilder(2).name("metered").build()) {
            new PoolMetrics(pool, Tags.of("team", "blue")).bindTo(registry);
            RemoteFunction<Integer, Integer> inverse = item -> 12 / item;

            pool.awaitReady();
            assertThat(pool.map(inverse, List.of(1, 2, 3))).containsExactly(12, 6, 4);
            assertThatThrownBy(() -> pool.apply(inverse, 0)).isInstanceOf(RemoteTaskException.class);

            assertThat(counted(registry, "tasks", "outcome", "done")).isEqualTo(3);
            assertThat(counted(registry, "tasks", "outcome", "failed")).isEqualTo(1);
            assertThat(counted(registry, "workers.started")).isEqualTo(2);
            assertThat(counted(registry, "workers.lost")).isZero();
            assertThat(counted(registry, "chunks.rerun")).isZero();
            assertThat(counted(registry, "duplicates.ignored")).isZero();
            assertThat(registry.get("fiber.pool.workers")
                            .tag("pool", "metered")
                            .gauge()
                            .value())
                    .isEqualTo(2);
        }
    }

    private static double counted(SimpleMeterRegistry registry, String name, String... tags) {
        return registry.get("fiber.pool." + name)
                .tags(Tags.of("pool", "metered", "team", "blue").and(tags))
                .functionCounter()
                .count();
    }
}
