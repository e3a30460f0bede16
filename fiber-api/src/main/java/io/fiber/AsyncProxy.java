// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An object in the process of a {@link Manager}, whose calls answer with futures: made by {@link ManagedObjects#hostAsync}. It travels as an address: a task
 * that gets it calls the same object. Calls of one thread on one object run in their order, and all calls on one object one
 * at a time; different objects run in parallel. Thread-safe.
 *
 * @param <T> type of the object, which need not be serializable
 */
public interface AsyncProxy<T> {

    /**
     * Runs a function on the object, at its host.
     *
     * <p>The future completes exceptionally with {@link RemoteTaskException} when the function throws, and with
     * {@link FiberException} (FBR-400) when the host is gone. {@code cancel(true)} reaches the host: a call that has not
     * begun never will, one that runs is interrupted. {@code cancel(false)} only stops waiting. In a task, wait by the
     * future's own {@code get} or {@code join}, which serve the worker's connection meanwhile.
     *
     * @param function gets the object itself; what it captures and what it returns travels as a copy
     * @throws SerializationException when the function cannot be serialized
     */
    <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<? super T, ? extends R> function);
}
