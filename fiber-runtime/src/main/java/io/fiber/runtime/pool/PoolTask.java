// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.RemoteTaskException;
import io.fiber.TaskRunner;
import io.fiber.function.RemoteCallable;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.serialization.functions.FunctionResources;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RunnableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The JDK's view of one call: sent once, cancelled through, failing with what the task itself threw. */
final class PoolTask<T extends @Nullable Object> extends CallFuture<T> implements RunnableFuture<T> {
    private final RemoteCallable<T> remote;
    private final UnaryOperator<T> outcome;

    private PoolTask(RemoteCallable<T> remote, UnaryOperator<T> outcome) {
        this.remote = remote;
        this.outcome = outcome;
    }

    static <T extends @Nullable Object> PoolTask<T> of(Callable<T> callable) {
        return new PoolTask<>(new JdkTask<>(callable, true), remoteResult -> remoteResult);
    }

    /** The value stays here: only the task travels. */
    static <T extends @Nullable Object> PoolTask<T> of(Runnable runnable, T value) {
        return new PoolTask<>(new JdkTask<>(runnable, false), remoteResult -> value);
    }

    /** Has {@code action} told about the end: the failure, or null after a result. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action does not throw.
    void onEnd(Consumer<@Nullable Throwable> action) {
        whenComplete((result, failure) -> action.accept(failure));
    }

    /** Submits the task; does not wait for its result. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action does not throw.
    void send(TaskRunner calls) {
        CompletableFuture<T> sent = calls.applyAsync(remote);
        sent.whenComplete((result, failure) -> {
            if (failure == null) {
                complete(outcome.apply(result));
            } else {
                completeExceptionally(thrownByTask(failure));
            }
        });
        onCancel(running -> sent.cancel(running == Running.INTERRUPTED));
    }

    /** Does nothing: a task is run by its executor, in a worker. */
    @Override
    public void run() {}

    private static Throwable thrownByTask(Throwable failure) {
        Throwable thrown = failure instanceof RemoteTaskException ? failure.getCause() : null;
        // A CompletableFuture would take these two for its own.
        boolean isPlain = !(thrown instanceof CancellationException) && !(thrown instanceof CompletionException);
        return thrown != null && isPlain ? thrown : failure;
    }

    /** A callable or runnable of the JDK on its way to a worker; one that is both runs as what it was submitted as. */
    record JdkTask<T extends @Nullable Object>(Object carried, boolean isCallable)
            implements RemoteCallable<T>, FunctionResources.Carrier {
        @Override
        @SuppressWarnings({"unchecked", "NullAway"}) // The sender of a runnable takes its own value instead.
        public T call() throws Exception {
            if (isCallable) {
                return ((Callable<T>) carried).call();
            }
            ((Runnable) carried).run();
            return null;
        }
    }
}
