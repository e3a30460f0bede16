// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fiber.CallOptions;
import io.fiber.Pool;
import io.fiber.PoolActivity;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.PoolStatistics;
import io.fiber.TaskRunner;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.platform.BackendFailure;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.pool.scheduling.ActivitySnapshot;
import io.fiber.spi.backend.Job;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A pool as a program holds it. Thread-safe. */
public final class PoolClient extends CallSite implements Pool {

    /** A worker whose end the platform does not confirm is given up before this has passed. */
    private static final Duration TERMINATE_LIMIT = Duration.ofSeconds(8);

    private final String name;
    private final PoolDriver driver;
    private final Conductor conductor;

    PoolClient(CallOptions options, CallEngine engine) {
        super(engine, options);
        this.name = engine.pool;
        this.driver = engine.driver;
        this.conductor = engine.tools.conductor();
    }

    @Override
    public TaskRunner with(CallOptions changed) {
        return new CallSite(engine, changed.orElse(options));
    }

    /** Starts the workers without waiting for them. */
    void start() {
        driver.staff.needs().requireNothing();
        conductor.execute(conductor.awaited(driver.machine::onStart));
    }

    @Override
    public void awaitReady() {
        awaitReady(SessionThreads.FOREVER);
    }

    @Override
    public boolean awaitReady(Duration timeout) {
        driver.staff.needs().requireNothing();
        CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> looked = new CompletableFuture<>();
        boolean heard = conductor.execute(() -> {
            try {
                driver.awaitReady(ready);
            } catch (Throwable thrown) {
                Faults.fail(ready, thrown);
                throw thrown;
            } finally {
                looked.complete(null);
            }
        });
        if (!heard) {
            ready.completeExceptionally(new PoolClosedException(name, PoolState.TERMINATED));
        } else if (timeout.isZero() || timeout.isNegative()) {
            looked.join();
        }
        boolean allReady = SessionThreads.await(ready, timeout, "the workers of pool '" + name + "'");
        if (!allReady) {
            ready.cancel(false);
        }
        return allReady;
    }

    @Override
    public void resize(int workers) {
        PoolSettings.requireWorkers(workers);
        driver.staff.needs().resize(workers);
        driver.workers = workers;
        conductor.execute(conductor.awaited(() -> driver.machine.onResize(workers)));
    }

    @Override
    public void shutdown() {
        driver.refuseFrom(PoolState.DRAINING);
        conductor.execute(conductor.awaited(driver.machine::onShutdown));
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        return SessionThreads.await(
                driver.terminated, requireNonNull(timeout, "timeout"), "the end of pool '" + name + "'");
    }

    @Override
    public void shutdownNow() {
        kill();
        try {
            awaitTermination(TERMINATE_LIMIT);
        } catch (WaitInterruptedException e) {
            // The workers end without being waited for; the thread stays interrupted.
        }
    }

    /** Ends the workers without waiting for anything. */
    public void kill() {
        driver.refuseFrom(PoolState.TERMINATING);
        conductor.execute(conductor.awaited(driver.machine::onTerminate));
    }

    /** Hands out no more tasks. Returns what is completed when no worker runs one, or there is no pool any more. */
    public CompletableFuture<?> hold() {
        CompletableFuture<@Nullable Void> quiet = new CompletableFuture<>();
        if (!conductor.execute(() -> driver.hold(quiet))) {
            quiet.complete(null);
        }
        return CompletableFuture.anyOf(quiet, driver.terminated);
    }

    /** Is completed when its last worker has ended. */
    public CompletableFuture<@Nullable Void> terminated() {
        return driver.terminated;
    }

    /** Returns how many workers it may have. */
    public int mostWorkers() {
        return driver.staff.needs().mostWorkers();
    }

    @Override
    public void close() {
        shutdown();
        engine.streams.cancelUnread(new PoolClosedException(name, driver.state()));
        try {
            new LongClose("pool '" + name + "'", this::waitsFor, this::lookForAbandoned).await(this::awaitTermination);
        } catch (WaitInterruptedException e) {
            kill();
            throw e;
        }
    }

    /** A close may wait for a stream that is no longer read; only the garbage collector knows. */
    private void lookForAbandoned() {
        if (!engine.streams.isEmpty()) {
            System.gc();
            engine.streams.cancelAbandoned();
        }
    }

    private String waitsFor() {
        CompletableFuture<String> calls = new CompletableFuture<>();
        boolean heard = conductor.execute(() -> calls.complete(driver.machine.openCalls()));
        return heard ? calls.completeOnTimeout("its I/O thread.", 1, SECONDS).join() : "its end.";
    }

    @Override
    public PoolState state() {
        return driver.state();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int workers() {
        return driver.workers;
    }

    @Override
    public PoolStatistics statistics() {
        return ask(driver::count, driver::statistics);
    }

    @Override
    public PoolActivity activity() {
        return ask(driver.machine::activity, () -> ActivitySnapshot.NONE);
    }

    @Override
    public Map<String, List<String>> logs(int lastLines) {
        if (lastLines < 1) {
            throw new IllegalArgumentException("FBR-305 lastLines is " + lastLines + "; expected at least 1.");
        }
        Map<String, List<String>> logs = new LinkedHashMap<>();
        ask(driver::jobs, List::<Job>of)
                .forEach(job -> logs.put(job.name(), BackendFailure.call(() -> job.logs(lastLines))));
        return logs;
    }

    /** Has the conductor answer, unless it has ended; what it throws instead is the answer, too. */
    private <T> T ask(Supplier<T> question, Supplier<T> afterItsEnd) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean heard = conductor.execute(() -> {
            try {
                answer.complete(question.get());
            } catch (Throwable thrown) {
                Faults.fail(answer, thrown);
                throw thrown;
            }
        });
        return heard ? answer.join() : afterItsEnd.get();
    }

    @Override
    public String toString() {
        return "Pool[" + name + ", " + workers() + " workers, " + state() + "]";
    }
}
