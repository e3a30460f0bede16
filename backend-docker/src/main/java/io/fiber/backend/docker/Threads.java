// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The threads of one backend: one that never waits for Docker, and a few that do. They end when they have nothing to do.
 * Thread-safe.
 */
final class Threads implements AutoCloseable {

    private static final int ASKING = 4;
    private static final int IDLE_SECONDS = 5;
    private static final long AGAIN_MS = 1_000;
    private static final long FINISH_LIMIT_MS = 500;

    private final ScheduledThreadPoolExecutor own;
    private final ThreadPoolExecutor asking;

    Threads() {
        own = new ScheduledThreadPoolExecutor(1, daemons("fiber-docker"));
        own.setRemoveOnCancelPolicy(true);
        own.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        own.allowCoreThreadTimeOut(true);
        own.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        asking = new ThreadPoolExecutor(
                ASKING,
                ASKING,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("fiber-docker-call"));
        asking.allowCoreThreadTimeOut(true);
        asking.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs on the backend's own thread. */
    void later(Runnable action) {
        own.execute(guarded(action));
    }

    /** Runs on the backend's own thread after a delay. */
    Future<?> after(long delayNs, Runnable action) {
        return own.schedule(guarded(action), delayNs, TimeUnit.NANOSECONDS);
    }

    /** Runs on a thread that may wait for Docker. */
    void ask(Runnable question) {
        asking.execute(guarded(question));
    }

    /** Runs on a thread that may wait for Docker, after a second. */
    void askAgain(Runnable question) {
        var unused = own.schedule(() -> ask(question), AGAIN_MS, TimeUnit.MILLISECONDS);
    }

    private static Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable e) {
                System.getLogger(Threads.class.getName()).log(Level.WARNING, "The backend 'docker' failed.", e);
            }
        };
    }

    /**
     * Runs all, some at the same time, and waits for their ends.
     *
     * @return what became of each, in their order
     */
    <T> List<Future<T>> all(List<Callable<T>> questions) {
        List<Future<T>> answers = new ArrayList<>();
        questions.forEach(question -> answers.add(asking.submit(question)));
        boolean interrupted = false;
        for (Future<T> answer : answers) {
            interrupted |= isInterruptedWaitingFor(answer);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return answers;
    }

    private static boolean isInterruptedWaitingFor(Future<?> answer) {
        boolean interrupted = false;
        while (true) {
            try {
                answer.get();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                return interrupted;
            }
        }
    }

    /** Runs on a thread that may wait, and tells whether it has ended well within a time. */
    boolean within(long limitMs, Runnable question) {
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        asking.getQueue().clear();
        Thread thread = daemons("fiber-docker-end").newThread(() -> {
            try {
                question.run();
                done.set(true);
            } catch (Throwable e) {
                System.getLogger(Threads.class.getName()).log(Level.DEBUG, "Docker was not told.", e);
            } finally {
                over.countDown();
            }
        });
        thread.start();
        return await(over, limitMs) && done.get();
    }

    /** Runs on the backend's own thread as the last thing, and waits for it. */
    void finish(Runnable last) {
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

    @Override
    public void close() {
        own.shutdownNow();
        asking.shutdownNow();
    }
}
