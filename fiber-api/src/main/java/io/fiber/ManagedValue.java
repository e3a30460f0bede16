// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.SerializableUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One value in the process of a {@link Manager}. It travels as an address. Thread-safe; every method is one call that waits
 * for the host and is atomic.
 *
 * @param <T> must be serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedValue<T extends @Nullable Object> {

    /** Returns the value. */
    T get();

    /** Sets the value. */
    void set(T value);

    /** Sets the value; returns the one before. */
    T getAndSet(T value);

    /** Sets the value if it is equal to the expected one; returns whether it was. */
    boolean compareAndSet(T expected, T value);

    /** Replaces the value by what an operator returns for it, at the host; returns the new one. */
    T updateAndGet(SerializableUnaryOperator<T> operator);

    /** Replaces the value by what an operator returns for it, at the host; returns the one before. */
    T getAndUpdate(SerializableUnaryOperator<T> operator);
}
