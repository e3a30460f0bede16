// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A function of one object that travels to another process. What it captures must be serializable; it runs on a thread
 * of the worker, on a copy of what was captured.
 *
 * @param <T> what it takes; must be serializable. For a function of several arguments, a record that names them
 * @param <R> what it returns; must be serializable
 */
@FunctionalInterface
public interface RemoteFunction<T extends @Nullable Object, R extends @Nullable Object> extends Serializable {

    /**
     * Runs the task.
     *
     * @param item a copy of what the caller gave
     * @throws Exception whatever went wrong; the caller gets it as the cause of a
     *     {@link io.fiber.RemoteTaskException}
     */
    R apply(T item) throws Exception;
}
