// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Predicate} that travels to the process that hosts a managed object, or to workers, and runs there. What it
 * captures must be serializable.
 *
 * @param <T> type of the argument
 */
@FunctionalInterface
public interface SerializablePredicate<T extends @Nullable Object> extends Predicate<T>, Serializable {}
