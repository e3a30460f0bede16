// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import org.jspecify.annotations.Nullable;

/**
 * The function of tasks that are submitted one by one: each task is its item. So it is sent once, however many tasks
 * there are, and tasks are sent before a worker has ended the one before.
 */
public enum SubmittedTask implements RemoteFunction<RemoteCallable<?>, @Nullable Object> {
    CALL;

    @Override
    public @Nullable Object apply(RemoteCallable<?> task) throws Exception {
        return task.call();
    }
}
