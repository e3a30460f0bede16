// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.BackendException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Pool} with choices named. Each may be made once; what is not said has a default. Ends with
 * {@link #start()} or {@link #build()}. Belongs to one thread.
 */
public final class PoolBuilder {
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

    /**
     * Creates a builder. The runtime does this; a program calls {@link Fiber#poolOf}.
     *
     * @param processes how many workers; at least 1
     * @param maker makes the pool
     * @param viewer shows what it would submit
     * @throws IllegalArgumentException when {@code processes} is less than 1
     */
    public PoolBuilder(
            int processes, Function<PoolSettings, Pool> maker, Function<PoolSettings, Optional<String>> viewer) {
        this.processes = processes;
        this.maker = requireNonNull(maker, "maker");
        this.viewer = requireNonNull(viewer, "viewer");
        settings(PoolSettings.Start.WITH_FIRST_TASK);
    }

    /**
     * Names the pool; its workers' names, logs and errors show it.
     *
     * @param poolName not blank. Default: {@code pool-} and a number
     * @throws IllegalArgumentException when it is blank
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder named(String poolName) {
        PoolSettings.requireName(poolName);
        name = once("named", name, poolName);
        return this;
    }

    /**
     * Lets each worker run several tasks at a time, each on a thread of its own: one JVM for a whole node instead of one for
     * each processor. Tasks of one worker share its memory and static state, and its fate: what ends its JVM ends them all, and
     * those that had begun run again as {@link #retries} says.
     *
     * @param threads 1 to {@value PoolSettings#GREATEST_THREADS}. Default: 1. A worker of which nobody says how many processors
     *     it needs ({@link #resources}, {@link Meta}) asks for as many; on this host for no more than there are
     * @throws IllegalArgumentException when it is out of this range
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder threadsPerWorker(int threads) {
        PoolSettings.requireThreads(threads);
        threadsPerWorker = once("threadsPerWorker", threadsPerWorker, threads);
        return this;
    }

    /**
     * Says what each worker needs of its machine.
     *
     * @param needed default: what the first function needs that is submitted ({@link Meta}, {@link CallOptions#resources});
     *     nothing when the workers are started before. A function that needs something else is refused (FBR-480)
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder resources(Resources needed) {
        resources = once("resources", resources, requireNonNull(needed, "needed"));
        return this;
    }

    /**
     * Lets the number of workers follow the queue: more are started while the tasks that wait would keep those that run busy
     * for a while (0.2 s each), and one that has had nothing to do for 10 s goes. The pool begins with as many as it was
     * made with.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder adaptive(int min, int max) {
        return adaptive(min, max, GOES_AFTER);
    }

    /**
     * Lets the number of workers follow the queue, as {@link #adaptive(int, int)} does.
     *
     * @param min how many are kept; 0 or more
     * @param max how many there may be; at least 1
     * @param idle after how long without work a worker goes; above 0
     * @throws IllegalArgumentException when these are no range, or the pool's number is outside of it
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder adaptive(int min, int max, Duration idle) {
        adaptive = once("adaptive", adaptive, new PoolSettings.Adaptive(min, max, idle));
        return checked();
    }

    /**
     * Adds variables to the environment of each worker.
     *
     * @param variables copied; by default none. Not the place for secrets: other programs of the machine may see them
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder environment(Map<String, String> variables) {
        environment = once("environment", environment, Map.copyOf(variables));
        return this;
    }

    /**
     * Gives what each worker runs before its first task, once for all of its threads; replacements of lost workers too.
     *
     * @param program when it throws, the start of the worker has failed; too many failed starts in a row end a pool of
     *     which no worker is ready with {@link PoolBrokenException}; while others are ready, no worker is started in place of
     *     the missing ones then, until {@link Pool#resize} asks for them. Default: nothing
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder initializer(RemoteRunnable program) {
        initializer = once("initializer", initializer, requireNonNull(program, "program"));
        return this;
    }

    /**
     * Replaces each worker by a new one after it has run this many tasks, on all of its threads together, for tasks that leak.
     *
     * @param tasks at least 1. Default: never
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder maxTasksPerChild(int tasks) {
        maxTasksPerChild = once("maxTasksPerChild", maxTasksPerChild, tasks);
        return checked();
    }

    /**
     * Fixes how many tasks travel to a worker together.
     *
     * @param tasks at least 1. Default: adapts to the time that tasks take
     * @throws IllegalArgumentException when it is less
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder chunkSize(int tasks) {
        PoolSettings.requireChunkSize(tasks);
        chunkSize = once("chunkSize", chunkSize, tasks);
        return this;
    }

    /**
     * Says how often a task that had begun on a worker which was lost is run again. A task that runs again should be
     * idempotent; with 0 no task runs twice. A task that throws is not run again by this: see {@link #retryFailed}.
     *
     * @param times 0 or more. Default: the setting {@code retries}, which is 2 when nothing is set
     * @throws IllegalArgumentException when it is negative
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder retries(int times) {
        PoolSettings.requireRetries(times);
        retries = once("retries", retries, times);
        return this;
    }

    /**
     * Says how tasks that throw are tried again; {@link CallOptions#retryFailed} of a call comes before it.
     *
     * @param how default: not at all
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder retryFailed(Retry how) {
        retryFailed = once("retryFailed", retryFailed, requireNonNull(how, "how"));
        return this;
    }

    /**
     * Says who is told how far calls of many tasks have come; {@link CallOptions#progress} of a call comes before it.
     *
     * @param listener default: nobody
     * @throws IllegalStateException when it was set before
     */
    public PoolBuilder progress(ProgressListener listener) {
        progress = once("progress", progress, requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Makes the pool and starts its workers. Does not wait for them: see {@link Pool#waitUntilWorkersUp()}.
     *
     * @throws IllegalStateException when this builder has made a pool before, or the session is closed
     */
    public Pool start() {
        return make(PoolSettings.Start.AT_ONCE);
    }

    /**
     * Makes the pool; its workers start with the first task.
     *
     * @throws IllegalStateException when this builder has made a pool before, or the session is closed
     */
    public Pool build() {
        return make(PoolSettings.Start.WITH_FIRST_TASK);
    }

    /**
     * Returns what the pool would submit for its workers, with the choices made so far: the script of a cluster's job, for
     * example, or a command line. For a person who reads it; it holds no secrets. Starts nothing, and the builder can be used
     * further. May read the files of the class path; asks the platform nothing.
     *
     * <p>Resources are those of {@link #resources}: what a function will need by {@link Meta} is not known yet.
     *
     * @return empty when the backend shows nothing, and in a worker, whose master submits its jobs
     * @throws BackendException what the start would be refused with, as far as it is known without the platform
     * @throws IllegalStateException when the session is closed
     */
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

    private static <T> T once(String what, @Nullable T before, T now) {
        if (before != null) {
            throw new IllegalStateException(what + " was already set to " + before + "; it can be set once.");
        }
        return now;
    }
}
