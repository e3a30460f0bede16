// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The functions of tasks that are submitted one by one: each task is an item. A worker is sent the function once for all
 * tasks, and can be sent tasks before it has ended the one before.
 */
public enum SubmittedTask implements RemoteFunction<Object, @Nullable Object> {
    /** Calls a {@link Callable}. */
    CALL,
    /** Runs a {@link RemoteRunnable} or a {@link Runnable}. */
    RUN;

    @Override
    @SuppressWarnings("NullAway") // NullAway ignores that the type argument is nullable
    public @Nullable Object apply(Object task) throws Exception {
        if (this == CALL) {
            return ((Callable<?>) task).call();
        }
        if (task instanceof RemoteRunnable remote) {
            remote.run();
        } else {
            ((Runnable) task).run();
        }
        return null;
    }
}
