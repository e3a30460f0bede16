// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.CallOptions;
import io.fiber.Pool;
import io.fiber.PoolBuilder;
import io.fiber.ProgressListener;
import io.fiber.Retry;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.pool.PoolSettings;
import io.fiber.spi.Resources;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks and collects the choices of a pool for its session. Belongs to one thread. */
final class SessionPoolBuilder implements PoolBuilder {
    private static final Duration GOES_AFTER = Duration.ofSeconds(10);
    private final int processes;
    private final Function<PoolSettings, Pool> maker;
    private final Function<PoolSettings, Optional<String>> viewer;
    private @Nullable String name;
    private @Nullable Integer threadsPerWorker;
    private PoolSettings.@Nullable Adaptive adaptive;
    private @Nullable Resources resources;
    private @Nullable Map<String, String> environment;
    private @Nullable RemoteRunnable initializer;
    private @Nullable Integer maxTasksPerChild;
    private @Nullable Integer chunkSize;
    private @Nullable Integer retries;
    private @Nullable Retry retryFailed;
    private @Nullable ProgressListener progress;
    private boolean isUsed;

    SessionPoolBuilder(
            int processes, Function<PoolSettings, Pool> maker, Function<PoolSettings, Optional<String>> viewer) {
        this.processes = processes;
        this.maker = requireNonNull(maker, "maker");
        this.viewer = requireNonNull(viewer, "viewer");
        settings(PoolSettings.Start.WITH_FIRST_TASK);
    }

    @Override
    public PoolBuilder named(String poolName) {
        Choice.requireName(poolName);
        name = Choice.once("named", name, poolName);
        return this;
    }

    @Override
    public PoolBuilder threadsPerWorker(int threads) {
        threadsPerWorker = Choice.once("threadsPerWorker", threadsPerWorker, threads);
        return checked();
    }

    @Override
    public PoolBuilder resources(Resources needed) {
        resources = Choice.once("resources", resources, requireNonNull(needed, "needed"));
        return this;
    }

    @Override
    public PoolBuilder adaptive(int min, int max) {
        return adaptive(min, max, GOES_AFTER);
    }

    @Override
    public PoolBuilder adaptive(int min, int max, Duration idle) {
        adaptive = Choice.once("adaptive", adaptive, new PoolSettings.Adaptive(min, max, idle));
        return checked();
    }

    @Override
    public PoolBuilder environment(Map<String, String> variables) {
        environment = Choice.once("environment", environment, Map.copyOf(variables));
        return this;
    }

    @Override
    public PoolBuilder initializer(RemoteRunnable program) {
        initializer = Choice.once("initializer", initializer, requireNonNull(program, "program"));
        return this;
    }

    @Override
    public PoolBuilder maxTasksPerChild(int tasks) {
        maxTasksPerChild = Choice.once("maxTasksPerChild", maxTasksPerChild, tasks);
        return checked();
    }

    @Override
    public PoolBuilder chunkSize(int tasks) {
        CallOptions.defaults().chunkSize(tasks);
        chunkSize = Choice.once("chunkSize", chunkSize, tasks);
        return this;
    }

    @Override
    public PoolBuilder retries(int times) {
        CallOptions.defaults().retries(times);
        retries = Choice.once("retries", retries, times);
        return this;
    }

    @Override
    public PoolBuilder retryFailed(Retry how) {
        retryFailed = Choice.once("retryFailed", retryFailed, requireNonNull(how, "how"));
        return this;
    }

    @Override
    public PoolBuilder progress(ProgressListener listener) {
        progress = Choice.once("progress", progress, requireNonNull(listener, "listener"));
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
        if (isUsed) {
            throw new IllegalStateException("This builder has made its pool; call poolOf(...) again for another one.");
        }
        PoolSettings settings = settings(start);
        isUsed = true;
        return maker.apply(settings);
    }

    private PoolBuilder checked() {
        settings(PoolSettings.Start.WITH_FIRST_TASK);
        return this;
    }

    private PoolSettings settings(PoolSettings.Start start) {
        return new PoolSettings(
                Optional.ofNullable(name),
                processes,
                optional(threadsPerWorker).orElse(1),
                Optional.ofNullable(adaptive),
                resources == null ? Resources.unspecified() : resources,
                environment == null ? Map.of() : environment,
                Optional.ofNullable(initializer),
                optional(maxTasksPerChild),
                new CallOptions(
                        optional(chunkSize),
                        optional(retries),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.ofNullable(retryFailed),
                        Optional.ofNullable(progress)),
                start);
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
