// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A handle of an object in the process of a {@link Manager}; each call returns a future. {@link
 * ManagedObjects#hostAsync} creates it. The handle travels as an address: a task that receives it calls the same
 * object. Calls on one object run one at a time, and the calls of one thread on it run in their order. Calls on
 * different objects run in parallel. Thread-safe.
 *
 * @param <T> type of the object, which need not be serializable
 */
public interface AsyncProxy<T> extends Serializable {

    /**
     * Runs a function on the object, in the manager's process.
     *
     * <p>If the function throws, the future completes with {@link RemoteTaskException}. If the manager's process is
     * gone, it completes with {@link FiberException} (FBR-400). {@code cancel(true)} reaches the manager: a call that
     * has not started is dropped, and a running one is interrupted. {@code cancel(false)} only stops waiting.
     *
     * @param function receives the object itself; what it captures and returns travels as a copy
     * @throws SerializationException if the function cannot be serialized
     */
    <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<? super T, ? extends R> function);
}
