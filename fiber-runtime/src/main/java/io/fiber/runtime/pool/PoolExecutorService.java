// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.PoolClosedException;
import io.fiber.TaskRunner;
import io.fiber.runtime.logging.Logs;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An executor whose tasks run in the workers of a pool. It has a life of its own: shutting it down refuses what is
 * submitted to it later and leaves the pool as it is. Thread-safe.
 *
 * <p>As the JDK has it, a future fails with what the task threw; only when that could not be brought here it fails with
 * {@link io.fiber.RemoteTaskException}.
 */
final class PoolExecutorService extends AbstractExecutorService {

    private final TaskRunner calls;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private final Set<PoolTask<?>> pending = new HashSet<>();
    private volatile boolean isShutdown;

    /** Creates an executor over what a pool, or a view of it, can be asked. */
    PoolExecutorService(TaskRunner calls) {
        this.calls = requireNonNull(calls, "calls");
    }

    /**
     * Runs a task in a worker. What it throws is logged, because the caller has no future of it.
     *
     * @throws RejectedExecutionException when this executor or the pool takes no more tasks, or the task cannot travel
     *     (FBR-406)
     */
    @Override
    public void execute(Runnable command) {
        if (command instanceof PoolTask<?> task) {
            send(task);
        } else {
            PoolTask<?> task = PoolTask.of(requireTravels(command), command);
            task.onEnd(PoolExecutorService::logUnlessCancelled);
            send(task);
        }
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return PoolTask.of(requireTravels(callable));
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return PoolTask.of(requireTravels(runnable), value);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("292 years have passed", e);
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("FBR-305 tasks is empty; expected at least one.");
        }
        long deadlineNs = System.nanoTime() + unit.toNanos(timeout);
        BlockingQueue<PoolTask<T>> ended = new LinkedBlockingQueue<>();
        List<PoolTask<T>> sent = new ArrayList<>();
        try {
            for (Callable<T> callable : tasks) {
                PoolTask<T> task = PoolTask.of(requireTravels(callable));
                task.onEnd(failure -> ended.add(task));
                sent.add(task);
                send(task);
            }
            return firstResult(ended, sent.size(), deadlineNs);
        } finally {
            sent.forEach(task -> task.cancel(true));
        }
    }

    @Override
    public void shutdown() {
        refuseMore();
    }

    /**
     * Refuses what is submitted later and cancels what was submitted, reaching into the workers.
     *
     * @return always empty: tasks travel to the workers at once, so that none is known not to have begun
     */
    @Override
    public List<Runnable> shutdownNow() {
        refuseMore().forEach(task -> task.cancel(true));
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        lock.lock();
        try {
            return isShutdown && pending.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long leftNs = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (!(isShutdown && pending.isEmpty())) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = drained.awaitNanos(leftNs);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private List<PoolTask<?>> refuseMore() {
        lock.lock();
        try {
            isShutdown = true;
            drained.signalAll();
            return List.copyOf(pending);
        } finally {
            lock.unlock();
        }
    }

    private void send(PoolTask<?> task) {
        lock.lock();
        try {
            if (isShutdown) {
                throw new RejectedExecutionException(
                        "This executor was shut down and takes no more tasks. Submit before shutdown().");
            }
            pending.add(task);
        } finally {
            lock.unlock();
        }
        task.onEnd(failure -> remove(task));
        try {
            task.send(calls);
        } catch (PoolClosedException e) {
            task.cancel(false);
            throw new RejectedExecutionException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            task.cancel(false);
            throw e;
        }
    }

    private void remove(PoolTask<?> task) {
        lock.lock();
        try {
            pending.remove(task);
            if (pending.isEmpty()) {
                drained.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private static <T> T firstResult(BlockingQueue<PoolTask<T>> ended, int count, long deadlineNs)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (int left = count; ; left--) {
            PoolTask<T> task = ended.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (task == null) {
                throw new TimeoutException(
                        "No task returned a result in time; " + left + " of " + count + " still run.");
            }
            try {
                return task.get();
            } catch (ExecutionException | CancellationException e) {
                if (left == 1) {
                    throw e instanceof ExecutionException failure ? failure : new ExecutionException(e);
                }
            }
        }
    }

    private static <T> T requireTravels(T task) {
        // What CompletableFuture makes is a ForkJoinTask, serializable in name only.
        if (requireNonNull(task, "task") instanceof Serializable && !(task instanceof ForkJoinTask<?>)) {
            return task;
        }
        throw new RejectedExecutionException(
                "FBR-406 The task is a " + task.getClass().getName()
                        + ", which is not serializable and cannot travel to a worker. Cast a lambda with (Callable<T> &"
                        + " Serializable), or use Pool.applyAsync. ExecutorCompletionService and CompletableFuture.supplyAsync"
                        + " wrap a task in an object that cannot travel: use Pool.applyAsync there.");
    }

    private static void logUnlessCancelled(@Nullable Throwable failure) {
        if (failure != null && !(failure instanceof CancellationException)) {
            Logs.of(PoolExecutorService.class)
                    .log(
                            System.Logger.Level.ERROR,
                            "A task given to execute() failed; submit() returns a future.",
                            failure);
        }
    }
}
