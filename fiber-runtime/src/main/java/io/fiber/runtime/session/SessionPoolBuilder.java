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
        this.workers = workers;
        this.maker = maker;
        this.viewer = viewer;
        settings(PoolSettings.Start.WITH_FIRST_TASK);
    }

    @Override
    public PoolBuilder threadsPerWorker(int threads) {
        @Nullable Integer before = threadsPerWorker;
        threadsPerWorker = threads;
        return checkedOr(() -> threadsPerWorker = before);
    }

    @Override
    public PoolBuilder adaptive(int min, int max) {
        return adaptive(min, max, GOES_AFTER);
    }

    @Override
    public PoolBuilder adaptive(int min, int max, Duration idle) {
        PoolSettings.@Nullable Adaptive before = adaptive;
        adaptive = new PoolSettings.Adaptive(min, max, idle);
        return checkedOr(() -> adaptive = before);
    }

    @Override
    public PoolBuilder maxTasksPerWorker(int tasks) {
        @Nullable Integer before = maxTasksPerWorker;
        maxTasksPerWorker = tasks;
        return checkedOr(() -> maxTasksPerWorker = before);
    }

    @Override
    public PoolBuilder callOptions(CallOptions options) {
        callOptions = requireNonNull(options, "options");
        return this;
    }

    @Override
    public Pool start() {
        return maker.apply(settings(PoolSettings.Start.AT_ONCE));
    }

    @Override
    public Pool build() {
        return maker.apply(settings(PoolSettings.Start.WITH_FIRST_TASK));
    }

    @Override
    public Optional<String> preview() {
        return viewer.apply(settings(PoolSettings.Start.WITH_FIRST_TASK));
    }

    /** Checks what a pool would get, and takes back the last value if that is refused. */
    private PoolBuilder checkedOr(Runnable takeBack) {
        try {
            settings(PoolSettings.Start.WITH_FIRST_TASK);
            return this;
        } catch (IllegalArgumentException e) {
            takeBack.run();
            throw e;
        }
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
