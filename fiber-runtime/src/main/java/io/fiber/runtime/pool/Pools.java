// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.CallOptions;
import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.journal.Journals;
import io.fiber.runtime.pool.progress.Displays;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobSpec;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Makes the pools of a session. Thread-safe. */
public final class Pools {

    /** A start that failed by chance is soon repeated. */
    private static final long FIRST_BACKOFF_NS = 100_000_000;
    /** Each start costs the cluster a job: where all fail, there is one attempt in this time. */
    private static final long GREATEST_BACKOFF_NS = 10_000_000_000L;

    private static final ValueName INITIALIZER = new ValueName("the initializer", "a pool");

    private final WorkerSupervisor supervisor;
    private final SessionContext context;
    private final FiberConfig config;
    private final CallEngine.Shared shared;

    public Pools(WorkerSupervisor supervisor, SessionContext context, Journals journals, FiberConfig config) {
        this.supervisor = supervisor;
        this.context = context;
        this.config = config;
        this.shared = new CallEngine.Shared(
                journals, new Displays(config.isOn(ConfigKey.PROGRESS_BAR)), Debugging.of(config));
    }

    /** Makes a pool whose jobs are named {@code jobPrefix-n}. */
    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    public PoolClient make(String name, String jobPrefix, PoolSettings settings, Specs specs) {
        Optional<SealedPayload> initializer =
                settings.initializer().map(program -> context.sealFunction(program, INITIALIZER));
        PoolNeeds needs = new PoolNeeds(
                name,
                settings.mostWorkers(),
                settings.job().resources(),
                (needed, workers) -> specs.of(withCpus(needed, settings), workers));
        PoolDriver driver = new PoolDriver(
                new PoolDriver.Staff(
                        name,
                        jobPrefix,
                        needs,
                        settings.adaptive(),
                        initializer,
                        (worker, failure, then) ->
                                readFailure("The initializer of pool '" + name + "' on " + worker, failure, then)),
                new PoolLimits(
                        settings.workers(),
                        settings.threadsPerWorker(),
                        settings.maxTasksPerWorker(),
                        config.integer(ConfigKey.MAX_START_FAILURES),
                        FIRST_BACKOFF_NS,
                        GREATEST_BACKOFF_NS,
                        supervisor.startsAtOnce()),
                supervisor);
        PoolClient client =
                new PoolClient(withMaxReruns(settings.options()), new CallEngine(name, driver, context, shared));
        if (!context.conductor().execute(() -> context.conductor().addDuty(driver))) {
            // No conductor will end it.
            driver.onClose();
        }
        driver.terminated.thenRun(
                () -> context.conductor().execute(() -> context.conductor().removeDuty(driver)));
        if (settings.start() == PoolSettings.Start.AT_ONCE) {
            client.start();
        }
        return client;
    }

    private CallOptions withMaxReruns(CallOptions options) {
        return options.maxReruns().isPresent() ? options : options.maxReruns(config.integer(ConfigKey.MAX_RERUNS));
    }

    private void readFailure(String where, SealedPayload failure, Consumer<FiberException> then) {
        try {
            context.blocking().execute(() -> {
                FiberException thrown = readFailure(where, failure);
                context.conductor().execute(() -> then.accept(thrown));
            });
        } catch (RejectedExecutionException e) {
            then.accept(new FiberException("FBR-401", where + " threw.", e));
        }
    }

    private FiberException readFailure(String where, SealedPayload failure) {
        try {
            return context.readFailure(failure, where + " threw an exception, which arrived damaged.")
                    .thrownBy(where);
        } catch (FiberException e) {
            return e;
        }
    }

    /** Returns what the backend would submit for a pool of such settings, if it shows that. */
    public Optional<String> preview(String jobPrefix, PoolSettings settings, Specs specs) {
        int first = supervisor.takeNumbers(0);
        return supervisor.preview(
                specs.of(withCpus(settings.job().resources(), settings), settings.mostWorkers()),
                IntStream.range(first, first + settings.workers())
                        .mapToObj(number -> jobPrefix + "-" + number)
                        .toList());
    }

    /**
     * A worker with several task threads asks for a processor for each, when neither the pool nor the function says how
     * many it needs. Workers on this host ask for no more than it has: a program that runs on a large node runs on a
     * laptop too.
     */
    private Resources withCpus(Resources needed, PoolSettings settings) {
        int threads = settings.threadsPerWorker();
        if (threads == 1 || needed.cpus().isPresent()) {
            return needed;
        }
        int most = supervisor.startsOnThisHost() ? Runtime.getRuntime().availableProcessors() : threads;
        return needed.withCpus(Math.min(threads, most));
    }

    /** Makes the spec of workers. */
    @FunctionalInterface
    public interface Specs {
        /** Returns the spec of workers that need this, of a pool that may have so many of them. */
        JobSpec of(Resources resources, int workers);
    }
}
