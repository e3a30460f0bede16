// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Predicate} that travels to the process that hosts a managed object, and runs there. What it captures must be
 * serializable.
 *
 * @param <T> what it takes
 */
@FunctionalInterface
public interface SerializablePredicate<T extends @Nullable Object> extends Predicate<T>, Serializable {}
