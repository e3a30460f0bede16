// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableBiFunction;
import io.fiber.runtime.serialization.functions.FunctionResources;
import org.jspecify.annotations.Nullable;

/**
 * A function on its way to a worker that combines its results there: all results of a message are sent as one value.
 *
 * @param combiner the caller's associative function
 */
public record CombinedFunction<T extends @Nullable Object, R extends @Nullable Object>(
        RemoteFunction<? super T, ? extends R> function,
        SerializableBiFunction<? super R, ? super R, ? extends R> combiner)
        implements RemoteFunction<T, R>, FunctionResources.Carrier {

    @Override
    public Object carried() {
        return function;
    }

    @Override
    public R apply(T item) throws Exception {
        return function.apply(item);
    }

    /** Combines two results, or two combined neighbours. */
    public R combine(R left, R right) {
        return combiner.apply(left, right);
    }
}
