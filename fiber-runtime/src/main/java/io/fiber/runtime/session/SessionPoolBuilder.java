// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.CallOptions;
import io.fiber.Pool;
import io.fiber.PoolBuilder;
import io.fiber.runtime.pool.PoolSettings;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks and collects the settings of a pool for its session. Belongs to one thread. */
final class SessionPoolBuilder extends SessionJobBuilder<PoolBuilder> implements PoolBuilder {
    private static final Duration GOES_AFTER = Duration.ofSeconds(10);
    private final int workers;
    private final Function<PoolSettings, Pool> maker;
    private final Function<PoolSettings, Optional<String>> viewer;
    private @Nullable Integer threadsPerWorker;
    private PoolSettings.@Nullable Adaptive adaptive;
    private @Nullable Integer maxTasksPerWorker;
    private @Nullable CallOptions callOptions;

    SessionPoolBuilder(
            int workers, Function<PoolSettings, Pool> maker, Function<PoolSettings, Optional<String>> viewer) {
        super("pool");
        this.workers = workers;
        this.maker = maker;
        this.viewer = viewer;
        checked();
    }

    @Override
    public PoolBuilder threadsPerWorker(int threads) {
        threadsPerWorker = once("threadsPerWorker", threadsPerWorker, threads);
        return checked();
    }

    @Override
    public PoolBuilder adaptive(int min, int max) {
        return adaptive(min, max, GOES_AFTER);
    }

    @Override
    public PoolBuilder adaptive(int min, int max, Duration idle) {
        adaptive = once("adaptive", adaptive, new PoolSettings.Adaptive(min, max, idle));
        return checked();
    }

    @Override
    public PoolBuilder maxTasksPerWorker(int tasks) {
        maxTasksPerWorker = once("maxTasksPerWorker", maxTasksPerWorker, tasks);
        return checked();
    }

    @Override
    public PoolBuilder callOptions(CallOptions options) {
        callOptions = once("callOptions", callOptions, requireNonNull(options, "options"));
        return this;
    }

    @Override
    public Pool start() {
        return make(PoolSettings.Start.AT_ONCE);
    }

    @Override
    public Pool build() {
        return make(PoolSettings.Start.WITH_FIRST_TASK);
    }

    @Override
    public Optional<String> preview() {
        return viewer.apply(settings(PoolSettings.Start.WITH_FIRST_TASK));
    }

    private Pool make(PoolSettings.Start start) {
        use();
        return maker.apply(settings(start));
    }

    private PoolBuilder checked() {
        settings(PoolSettings.Start.WITH_FIRST_TASK);
        return this;
    }

    private PoolSettings settings(PoolSettings.Start start) {
        CallOptions options = callOptions == null ? CallOptions.defaults() : callOptions;
        JobSpec job = job();
        if (job.resources().isUnspecified() && options.resources().isPresent()) {
            job = job.toBuilder().resources(options.resources().get()).build();
        }
        return new PoolSettings(
                name(),
                workers,
                threadsPerWorker == null ? 1 : threadsPerWorker,
                Optional.ofNullable(adaptive),
                job,
                initializer(),
                maxTasksPerWorker == null ? OptionalInt.empty() : OptionalInt.of(maxTasksPerWorker),
                options,
                start);
    }
}
