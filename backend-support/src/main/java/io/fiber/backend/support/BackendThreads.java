// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The threads of one backend. One thread calls listeners and keeps time, and never waits for the platform. A few others
 * wait for the platform. All are daemons. They start with the first task, and end when they have been idle for some
 * seconds. Exceptions of tasks are logged. Thread-safe.
 */
public final class BackendThreads implements BackendTasks, AutoCloseable {

    private static final int IDLE_SECONDS = 5;
    private static final long AGAIN_MS = 1_000;
    private static final long FINISH_LIMIT_MS = 500;

    private final String backend;
    private final ScheduledThreadPoolExecutor own;
    private final ThreadPoolExecutor asking;

    /**
     * The results of several calls.
     *
     * @param given results of the successful calls, in order
     * @param failure the exception of the first call that failed; empty if all succeeded
     */
    public record Answers<T>(List<T> given, Optional<Throwable> failure) {

        /**
         * Returns the failure as an exception of the contract.
         *
         * @param what what failed, as the beginning of a sentence
         */
        public Optional<BackendException> failure(String what) {
            return failure.map(
                    e -> e instanceof BackendException known ? known : new BackendException(what + ": " + e, e));
        }
    }

    /**
     * Creates the threads of a backend, without starting any.
     *
     * @param backend its name, which is part of the names of the threads
     * @param asking number of threads that wait for the platform
     */
    public BackendThreads(String backend, int asking) {
        this.backend = requireNonNull(backend, "backend");
        this.own = new ScheduledThreadPoolExecutor(1, daemons("fiber-" + backend));
        own.setRemoveOnCancelPolicy(true);
        own.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        own.allowCoreThreadTimeOut(true);
        own.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        this.asking = new ThreadPoolExecutor(
                asking,
                asking,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("fiber-" + backend + "-call"));
        this.asking.allowCoreThreadTimeOut(true);
        this.asking.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Returns a factory for daemon threads with this name. */
    public static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void later(Runnable action) {
        own.execute(guarded(action));
    }

    @Override
    public Future<?> after(long delayNs, Runnable action) {
        return own.schedule(guarded(action), delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void ask(Runnable question) {
        asking.execute(guarded(question));
    }

    @Override
    public void askAgain(Runnable question) {
        var unused = own.schedule(() -> ask(question), AGAIN_MS, TimeUnit.MILLISECONDS);
    }

    private Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable e) {
                log(Level.WARNING, "The backend '" + backend + "' failed.", e);
            }
        };
    }

    /**
     * Makes all calls, some of them in parallel, and waits for all. An interrupt does not shorten the wait; it is set
     * again afterwards.
     */
    public <T> Answers<T> all(List<Supplier<T>> calls) {
        List<CompletableFuture<T>> answers = new ArrayList<>();
        calls.forEach(call -> answers.add(CompletableFuture.supplyAsync(call, asking)));
        List<T> given = new ArrayList<>();
        Optional<Throwable> failure = Optional.empty();
        for (CompletableFuture<T> answer : answers) {
            try {
                given.add(answer.join());
            } catch (CompletionException e) {
                failure = failure.or(() -> Optional.ofNullable(e.getCause()));
            }
        }
        return new Answers<>(List.copyOf(given), failure);
    }

    /** Drops the requests that no thread has started. */
    public void forgetQuestions() {
        asking.getQueue().clear();
    }

    /** Runs a request on a thread of its own, and returns whether it has succeeded within the limit. */
    public boolean within(long limitMs, Runnable question) {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        daemons("fiber-" + backend + "-end")
                .newThread(() -> {
                    try {
                        question.run();
                        done.set(true);
                    } catch (Throwable e) {
                        log(Level.DEBUG, "The message to the platform of the backend '" + backend + "' failed.", e);
                    } finally {
                        over.countDown();
                    }
                })
                .start();
        return await(over, limitMs) && done.get();
    }

    /** Runs a task on the backend's own thread, and waits half a second for it. */
    public void finish(Runnable last) {
        CountDownLatch over = new CountDownLatch(1);
        later(() -> {
            try {
                last.run();
            } finally {
                over.countDown();
            }
        });
        await(over, FINISH_LIMIT_MS);
    }

    private static boolean await(CountDownLatch over, long limitMs) {
        try {
            return over.await(limitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void log(Level level, String message, Throwable cause) {
        System.getLogger(BackendThreads.class.getName()).log(level, message, cause);
    }

    /** Interrupts running tasks and drops the others. Later tasks are not run. Does not wait. */
    @Override
    public void close() {
        own.shutdownNow();
        asking.shutdownNow();
    }
}
