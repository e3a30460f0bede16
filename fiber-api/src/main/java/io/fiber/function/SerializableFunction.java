// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Function} that travels to the process that hosts a managed object, and runs there. What it captures must be
 * serializable.
 *
 * @param <T> type of the argument
 * @param <R> type of the result
 */
@FunctionalInterface
public interface SerializableFunction<T extends @Nullable Object, R extends @Nullable Object>
        extends Function<T, R>, Serializable {}
