// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The real time, kept by one thread. */
final class RealTimeline implements Timeline {

    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread keeper;

    RealTimeline(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            keeper = thread;
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void after(Duration delay, Runnable step) {
        try {
            ScheduledFuture<?> unused = executor.schedule(
                    () -> runReporting(step), TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown()) {
                throw e;
            }
        }
    }

    /**
     * Logs the exception of a step, for example of a listener, which would otherwise stay in a future that is never
     * read.
     */
    private static void runReporting(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
        if (Thread.currentThread() == keeper) {
            return;
        }
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
