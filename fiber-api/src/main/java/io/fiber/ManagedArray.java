// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.SerializableUnaryOperator;
import java.io.Serializable;

/**
 * An array of primitive numbers in the process of a {@link Manager}; {@code ManagedArray<Double, double[]>} holds
 * doubles. The handle travels as an address. Each method is one atomic call, which waits for the manager's process. A
 * call for a range costs little more than a call for one element. Thread-safe.
 *
 * @param <E> type of an element: {@link Integer}, {@link Long} or {@link Double}
 * @param <A> type of the array of primitives
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedArray<E extends Number, A> extends Serializable {

    /** Returns the number of elements, which never changes. */
    int length();

    /**
     * Returns an element.
     *
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    E get(int index);

    /**
     * Sets an element.
     *
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    void set(int index, E value);

    /**
     * Replaces an element with the result of an operator and returns the new element. The operator runs in the manager's
     * process.
     *
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    E updateAndGet(int index, SerializableUnaryOperator<E> operator);

    /**
     * Replaces an element with the result of an operator and returns the old element. The operator runs in the manager's
     * process.
     *
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    E getAndUpdate(int index, SerializableUnaryOperator<E> operator);

    /**
     * Sets an element if it equals the expected one, and returns whether it did.
     *
     * @throws IndexOutOfBoundsException if the index is out of range
     */
    boolean compareAndSet(int index, E expected, E value);

    /** Returns a copy of all elements. */
    A toArray();

    /**
     * Returns a copy of the elements from {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    A copyOfRange(int from, int to);

    /**
     * Sets the elements that start at an index.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array; nothing is set then
     */
    void setRange(int from, A values);
}
