// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.TaskRunner;
import io.fiber.function.RemoteCallable;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.serialization.RemoteFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A pool in this process: a task travels through bytes to a thread, as it would to a worker. */
final class LocalCalls implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile boolean isClosed;

    /** Only {@code applyAsync(RemoteCallable)} can be asked of it. */
    TaskRunner calls() {
        return (TaskRunner) Proxy.newProxyInstance(
                LocalCalls.class.getClassLoader(),
                new Class<?>[] {TaskRunner.class},
                (proxy, method, arguments) -> invoke(method, arguments));
    }

    /** Takes no more tasks. */
    void refuseMore() {
        isClosed = true;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The proxy hands it to the caller.
    private Object invoke(Method method, Object[] arguments) {
        if (!method.getName().equals("applyAsync") || !(arguments[0] instanceof RemoteCallable<?> task)) {
            throw new AssertionError("unexpected call of " + method);
        }
        if (isClosed) {
            throw new PoolClosedException("local", PoolState.DRAINING);
        }
        Call call = new Call();
        call.running = threads.submit(() -> call.run(copy(task)));
        return call;
    }

    private static RemoteCallable<?> copy(RemoteCallable<?> task) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(task);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (RemoteCallable<?>) in.readObject();
        }
    }

    private static final class Call extends CompletableFuture<Object> {
        private volatile Future<?> running = CompletableFuture.completedFuture(null);

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            running.cancel(mayInterruptIfRunning);
            return super.cancel(mayInterruptIfRunning);
        }

        private Void run(RemoteCallable<?> task) {
            try {
                complete(task.call());
            } catch (Throwable e) {
                StringWriter trace = new StringWriter();
                e.printStackTrace(new PrintWriter(trace));
                completeExceptionally(new RemoteFailure(
                                e.getClass().getName(),
                                Optional.ofNullable(e.getMessage()),
                                trace.toString(),
                                Optional.of(e))
                        .thrownBy("A task"));
            }
            return null;
        }
    }
}
