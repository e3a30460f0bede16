// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A function of one argument that travels to another process. What it captures must be serializable. It runs on a
 * thread of the worker, on a copy of the captured values.
 *
 * @param <T> type of the argument; must be serializable. If you need several arguments, use a record that names them
 * @param <R> type of the result; must be serializable
 */
@FunctionalInterface
public interface RemoteFunction<T extends @Nullable Object, R extends @Nullable Object> extends Serializable {

    /**
     * Runs the task.
     *
     * @param item a copy of the caller's item
     * @throws Exception anything; the caller gets it as the cause of a {@link io.fiber.RemoteTaskException}
     */
    R apply(T item) throws Exception;
}
