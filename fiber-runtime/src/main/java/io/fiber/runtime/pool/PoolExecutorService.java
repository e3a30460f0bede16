// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.PoolClosedException;
import io.fiber.TaskRunner;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.Types;
import java.io.Serializable;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An executor whose tasks run in the workers of a pool. It has a life of its own: shutting it down refuses what is
 * submitted to it later and leaves the pool as it is. Thread-safe.
 *
 * <p>As the JDK has it, a future fails with what the task threw; only when that could not be brought here it fails with
 * {@link io.fiber.RemoteTaskException}.
 */
final class PoolExecutorService extends AbstractExecutorService {

    /** The last jar in the address of a class. */
    private static final Pattern JAR = Pattern.compile("([^/!]+\\.jar)[!/]*$");

    /**
     * Packages of RxJava. Its scheduler takes a {@link RejectedExecutionException} for the end of its flow, reports nothing
     * and waits forever; any other exception reaches the caller. Guava and Reactor do the opposite.
     */
    private static final String RXJAVA = "io.reactivex.";

    private static final String LIBRARY = "If a library has made it, give the library an executor of local threads, and"
            + " the function pool.remote(function), which runs in a worker.";

    private final TaskRunner calls;
    /** What was submitted and has not ended; its lock also guards that none is added after a shutdown. */
    private final Set<PoolTask<?>> pending = new HashSet<>();

    private final CountDownLatch terminated = new CountDownLatch(1);
    private final AtomicBoolean hasLoggedRefusal = new AtomicBoolean();
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
     * @throws FiberException when the task cannot travel (FBR-406) and is an object of RxJava
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
        AtomicInteger left = new AtomicInteger(tasks.size());
        CompletableFuture<T> first = new CompletableFuture<>();
        List<PoolTask<T>> sent = new ArrayList<>();
        try {
            for (Callable<T> callable : tasks) {
                PoolTask<T> task = PoolTask.of(requireTravels(callable));
                task.onEnd(failure -> {
                    if (failure == null) {
                        first.complete(task.join());
                    } else if (left.decrementAndGet() == 0) {
                        first.completeExceptionally(failure);
                    }
                });
                sent.add(task);
                send(task);
            }
            return first.get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException(
                    "No task returned a result in time; " + left + " of " + sent.size() + " are still running.");
        } catch (CancellationException e) {
            throw new ExecutionException(e);
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
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return terminated.await(timeout, unit);
    }

    private List<PoolTask<?>> refuseMore() {
        synchronized (pending) {
            isShutdown = true;
            endIfDone();
            return List.copyOf(pending);
        }
    }

    private void send(PoolTask<?> task) {
        synchronized (pending) {
            if (isShutdown) {
                throw new RejectedExecutionException(
                        "This executor was shut down and takes no more tasks. Submit before shutdown().");
            }
            pending.add(task);
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
        synchronized (pending) {
            pending.remove(task);
            endIfDone();
        }
    }

    private void endIfDone() {
        if (isShutdown && pending.isEmpty()) {
            terminated.countDown();
        }
    }

    private <T> T requireTravels(T task) {
        // What CompletableFuture makes is a ForkJoinTask, serializable in name only.
        if (requireNonNull(task, "task") instanceof Serializable && !(task instanceof ForkJoinTask<?>)) {
            return task;
        }
        String message = "FBR-406 The task, " + described(task.getClass())
                + ", is not serializable and cannot be sent to a worker. " + advice(task.getClass());
        if (!hasLoggedRefusal.getAndSet(true)) {
            // Some libraries catch the exception in a thread of their own, and then wait forever.
            Logs.of(PoolExecutorService.class).log(System.Logger.Level.WARNING, message);
        }
        throw task.getClass().getName().startsWith(RXJAVA)
                ? new FiberException(message)
                : new RejectedExecutionException(message);
    }

    private static String advice(Class<?> type) {
        if (Types.isLambda(type)) {
            return "If the lambda is your own, cast it to (Callable<T> & Serializable) or (Runnable & Serializable),"
                    + " or use Pool.applyAsync or runAsync. " + LIBRARY;
        }
        if (Types.isOfJdk(type)) {
            return "Use Pool.applyAsync and Fiber.asCompleted in place of the JDK's. " + LIBRARY;
        }
        return "If the class is your own, let it implement java.io.Serializable. " + LIBRARY;
    }

    /** Returns the name of a class and, if it is in a jar, the name of the jar. */
    private static String described(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String path = source == null || source.getLocation() == null
                ? ""
                : source.getLocation().getPath();
        Matcher jar = JAR.matcher(path);
        String name = Types.isLambda(type) ? Types.name(type) : "a " + type.getName();
        return jar.find() ? name + " of " + jar.group(1) : name;
    }

    private static void logUnlessCancelled(@Nullable Throwable failure) {
        if (failure != null && !(failure instanceof CancellationException)) {
            Logs.of(PoolExecutorService.class)
                    .log(
                            System.Logger.Level.ERROR,
                            "A task given to execute() failed. Use submit() to get its failure in a future.",
                            failure);
        }
    }
}
