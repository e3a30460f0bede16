// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The threads of a session beside its I/O thread. They end when they are idle, and none keeps the JVM alive. And how a
 * thread of the program waits for what they do.
 */
public final class SessionThreads {

    /** A limit for {@link #await} of what ends only when it is done. */
    public static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private static final long KEEP_ALIVE_SECONDS = 5;

    private SessionThreads() {}

    /**
     * Runs what waits: submissions, log requests, lazy inputs. As many threads as there are things to wait for.
     *
     * @param name the beginning of the threads' names
     * @param lastResort is told of what a task throws and could tell nothing that waits for it
     */
    public static ExecutorService blocking(String name, Consumer<Throwable> lastResort) {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    thread.setUncaughtExceptionHandler((died, thrown) -> lastResort.accept(thrown));
                    return thread;
                });
    }

    /**
     * Has other threads run a task, for a conductor, which must not end when there is none for it.
     *
     * @return false when the threads have ended, or the system starts no more
     */
    public static boolean tryExecute(Executor threads, Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * Waits for a future; returns false when time is up.
     *
     * @param what what is waited for, in the words of an error
     * @throws WaitInterruptedException when the thread is interrupted, which it stays
     * @throws FiberException when the future has failed with it
     */
    public static boolean await(CompletableFuture<?> future, Duration limit, String what) {
        try {
            future.get(NANOSECONDS.convert(limit), NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException(what, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FiberException fault ? fault : new IllegalStateException(e.getCause());
        }
    }

    /**
     * Reads the results of futures and completes them, in the order in which they arrive. Another thread takes the place
     * of one that waits for a future.
     *
     * @param lastResort is told of what a task throws and could tell no future
     */
    public static ExecutorService callbacks(Consumer<Throwable> lastResort) {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new ForkJoinPool(
                threads,
                pool -> {
                    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName("fiber-callback-" + thread.getPoolIndex());
                    return thread;
                },
                (died, thrown) -> lastResort.accept(thrown),
                true,
                0,
                Integer.MAX_VALUE,
                1,
                null,
                KEEP_ALIVE_SECONDS,
                TimeUnit.SECONDS);
    }
}
