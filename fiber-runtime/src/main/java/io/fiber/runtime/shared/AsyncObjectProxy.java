// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.AsyncProxy;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An object of the program's own whose calls answer with futures, as a program holds it. Thread-safe. */
final class AsyncObjectProxy<T> extends Proxied implements AsyncProxy<T> {
    private static final long serialVersionUID = 1L;

    AsyncObjectProxy(RemoteObject remote) {
        super(remote, ObjectHandle.of(Kind.ASYNC, remote));
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<? super T, ? extends R> function) {
        RemoteFuture<R> future = new RemoteFuture<>(remote());
        future.send(remote().request(ObjectOperation.CALL, requireNonNull(function, "function")));
        return future;
    }
}
