// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.SerializableUnaryOperator;

/**
 * An array of primitive numbers in the process of a {@link Manager}: {@code ManagedArray<Double, double[]>} holds doubles.
 * It travels as an address. Thread-safe; every method is one call that waits for the host and is atomic. One call for a
 * range costs little more than one for an element.
 *
 * @param <E> an element: {@link Integer}, {@link Long} or {@link Double}
 * @param <A> the array of its primitives
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedArray<E extends Number, A> {

    /** Returns how many elements there are, which never changes. */
    int length();

    /**
     * Returns an element.
     *
     * @throws IndexOutOfBoundsException when there is none at the index
     */
    E get(int index);

    /**
     * Sets an element.
     *
     * @throws IndexOutOfBoundsException when there is none at the index
     */
    void set(int index, E value);

    /**
     * Replaces an element by what an operator returns for it, at the host; returns the new one.
     *
     * @throws IndexOutOfBoundsException when there is none at the index
     */
    E updateAndGet(int index, SerializableUnaryOperator<E> operator);

    /**
     * Replaces an element by what an operator returns for it, at the host; returns the one before.
     *
     * @throws IndexOutOfBoundsException when there is none at the index
     */
    E getAndUpdate(int index, SerializableUnaryOperator<E> operator);

    /**
     * Sets an element if it is equal to the expected one; returns whether it was.
     *
     * @throws IndexOutOfBoundsException when there is none at the index
     */
    boolean compareAndSet(int index, E expected, E value);

    /** Returns a copy of all elements. */
    A toArray();

    /**
     * Returns a copy of the elements from an index up to, but without, another.
     *
     * @throws IndexOutOfBoundsException when they are not all there
     */
    A copyOfRange(int from, int to);

    /**
     * Sets the elements from an index on.
     *
     * @throws IndexOutOfBoundsException when they are not all there; nothing is set then
     */
    void setRange(int from, A values);
}
