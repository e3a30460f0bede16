// SPDX-License-Identifier: Apache-2.0
package io.fiber.metrics.micrometer;

import static java.util.Objects.requireNonNull;

import io.fiber.Pool;
import io.fiber.PoolStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/**
 * Publishes the counters of one pool as meters: {@code fiber.pool.tasks} by {@code outcome} ({@code done}, {@code
 * failed}), {@code fiber.pool.chunks.rerun}, {@code fiber.pool.workers.started}, {@code fiber.pool.workers.lost},
 * {@code fiber.pool.duplicates.ignored} and the gauge {@code fiber.pool.workers}. All have the tag {@code pool}.
 *
 * <pre>{@code
 * new PoolMetrics(pool).bindTo(registry);
 * }</pre>
 *
 * <p>The registry reads the pool when its meters are read. As usual in Micrometer, it refers to the pool weakly: a pool
 * that has ended keeps its last figures while the program holds it. Thread-safe.
 */
public final class PoolMetrics implements MeterBinder {

    private final Pool pool;
    private final Tags tags;

    /** Creates a binder whose meters have the tag {@code pool} with the pool's name. */
    public PoolMetrics(Pool pool) {
        this(pool, Tags.empty());
    }

    /** Creates a binder whose meters have the tag {@code pool} and these tags. */
    public PoolMetrics(Pool pool, Iterable<Tag> tags) {
        this.pool = requireNonNull(pool, "pool");
        this.tags = Tags.of(requireNonNull(tags, "tags")).and("pool", pool.name());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "tasks", "Tasks that were answered", tags.and("outcome", "done"), PoolStatistics::tasksDone);
        count(
                registry,
                "tasks",
                "Tasks that were answered",
                tags.and("outcome", "failed"),
                PoolStatistics::tasksFailed);
        count(registry, "tasks.retried", "Tasks that threw and were tried again", tags, PoolStatistics::tasksRetried);
        count(registry, "chunks.rerun", "Chunks that ran again", tags, PoolStatistics::chunksRerun);
        count(registry, "workers.started", "Workers that became ready", tags, PoolStatistics::workersStarted);
        count(registry, "workers.lost", "Workers that were lost", tags, PoolStatistics::workersLost);
        count(registry, "duplicates.ignored", "Answers that came late", tags, PoolStatistics::duplicatesIgnored);
        Gauge.builder("fiber.pool.workers", pool, Pool::workers)
                .description("Workers that the pool has when all are up")
                .tags(tags)
                .register(registry);
    }

    private void count(
            MeterRegistry registry, String name, String description, Tags own, ToLongFunction<PoolStatistics> figure) {
        FunctionCounter.builder("fiber.pool." + name, pool, counted -> figure.applyAsLong(counted.statistics()))
                .description(description)
                .tags(own)
                .register(registry);
    }
}
