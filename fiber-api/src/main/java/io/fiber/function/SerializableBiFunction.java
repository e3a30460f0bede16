// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BiFunction} that travels to the process that hosts a managed object, or to workers, and runs there. What it
 * captures must be serializable.
 *
 * @param <T> type of the first argument
 * @param <U> type of the second argument
 * @param <R> type of the result
 */
@FunctionalInterface
public interface SerializableBiFunction<
                T extends @Nullable Object, U extends @Nullable Object, R extends @Nullable Object>
        extends BiFunction<T, U, R>, Serializable {}
