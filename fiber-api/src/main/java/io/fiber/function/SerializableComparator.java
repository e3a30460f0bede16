// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

import java.io.Serializable;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Comparator} that travels to the process that hosts a managed object, and runs there. What it captures must
 * be serializable.
 *
 * @param <T> type of the objects that it compares
 */
@FunctionalInterface
public interface SerializableComparator<T extends @Nullable Object> extends Comparator<T>, Serializable {}
