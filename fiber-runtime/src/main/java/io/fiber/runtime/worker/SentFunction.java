// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import org.jspecify.annotations.Nullable;

/** A function that the master has sent. The first task thread that needs it deserializes it. Thread-safe. */
final class SentFunction {

    static final ValueName FUNCTION = new ValueName("the function", "a task");

    private final SealedPayload payload;
    private @Nullable Object decoded;

    SentFunction(SealedPayload payload) {
        this.payload = payload;
    }

    /** Returns whether it has been deserialized, so that deserializing can no longer end the worker. */
    synchronized boolean isDecoded() {
        return decoded != null;
    }

    synchronized Object decode(ValueCodec codec, Seals seals) throws SealException {
        Object function = decoded;
        if (function == null) {
            function = codec.read(seals.open(payload).open(), FUNCTION);
            if (function == null) {
                throw new IllegalStateException("The function is null.");
            }
            decoded = function;
        }
        return function;
    }

    /** Calls a function with an item. The kinds of functions are those that a caller can submit. */
    @SuppressWarnings({"unchecked", "NullAway"}) // an item is what the caller gave, null where the function takes it
    static @Nullable Object call(Object function, @Nullable Object item) throws Exception {
        if (function instanceof RemoteFunction<?, ?> any) {
            return ((RemoteFunction<@Nullable Object, @Nullable Object>) any).apply(item);
        }
        if (function instanceof RemoteCallable<?> callable) {
            return callable.call();
        }
        if (function instanceof RemoteRunnable runnable) {
            runnable.run();
            return null;
        }
        throw new IllegalStateException(function.getClass().getName() + " is not a function of io.fiber.function.");
    }
}
