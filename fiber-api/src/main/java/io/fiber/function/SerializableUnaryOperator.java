// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link UnaryOperator} that travels to the process that hosts a managed object, and runs there. What it captures
 * must be serializable.
 *
 * @param <T> type of the argument and the result
 */
@FunctionalInterface
public interface SerializableUnaryOperator<T extends @Nullable Object> extends UnaryOperator<T>, Serializable {}
