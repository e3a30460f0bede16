// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.serialization.functions.FunctionResources;
import org.jspecify.annotations.Nullable;

/** An action on its way to a worker, even if its class is a function as well. */
public record RemoteAction(RemoteConsumer<?> carried)
        implements RemoteFunction<@Nullable Object, @Nullable Object>, FunctionResources.Carrier {
    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // an item is what the caller gave, null where the action takes it
    public @Nullable Object apply(@Nullable Object item) throws Exception {
        ((RemoteConsumer<@Nullable Object>) carried).accept(item);
        return null;
    }
}
