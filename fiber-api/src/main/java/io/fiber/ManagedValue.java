// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.SerializableUnaryOperator;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A single value in the process of a {@link Manager}. The handle travels as an address. Each method is one atomic call
 * that waits for the manager's process. Thread-safe.
 *
 * @param <T> type of the value; serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedValue<T extends @Nullable Object> extends Serializable {

    /** Returns the value. */
    T get();

    /** Sets the value. */
    void set(T value);

    /** Sets the value and returns the old one. */
    T getAndSet(T value);

    /** Sets the value if it equals the expected one, and returns whether it did. */
    boolean compareAndSet(T expected, T value);

    /**
     * Replaces the value with the result of an operator and returns the new value. The operator runs in the manager's
     * process.
     */
    T updateAndGet(SerializableUnaryOperator<T> operator);

    /**
     * Replaces the value with the result of an operator and returns the old value. The operator runs in the manager's
     * process.
     */
    T getAndUpdate(SerializableUnaryOperator<T> operator);
}
