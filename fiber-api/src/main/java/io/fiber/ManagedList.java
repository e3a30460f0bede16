// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableComparator;
import io.fiber.function.SerializablePredicate;
import io.fiber.function.SerializableUnaryOperator;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list that lives in the process of a {@link Manager}. Each method is one call that runs there alone, so it is
 * atomic, except {@code listIterator()}, {@code subList}, {@code reversed} and {@code containsAll}; elements travel
 * as copies, and a list, set or map of the JDK among them as one that refuses changes (FBR-445): {@link #call} changes it. The
 * list travels itself as an address: a task, another managed collection or a queue that gets it sees the
 * same list.
 *
 * <p>Functions run at the host and must be serializable: a lambda given directly is, one that was declared as a plain
 * {@link java.util.function.Predicate} is not (FBR-201). Each {@code iterator()}, for-each and stream fetches a
 * {@link #snapshot()}, the content of one moment, whole; {@code listIterator()} and {@code subList} ask for each element.
 * Iterators do not remove; {@link #removeIf(SerializablePredicate)} does.
 *
 * <p>Thread-safe. Every method waits for the host.
 *
 * @param <E> must be serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedList<E extends @Nullable Object> extends List<E> {

    /** Removes the elements that a predicate accepts; returns whether there were any. */
    default boolean removeIf(SerializablePredicate<? super E> filter) {
        return removeIf((Predicate<? super E>) filter);
    }

    /** Replaces each element by what an operator returns for it. */
    default void replaceAll(SerializableUnaryOperator<E> operator) {
        replaceAll((UnaryOperator<E>) operator);
    }

    /** Sorts the list. */
    default void sort(SerializableComparator<? super E> order) {
        sort((Comparator<? super E>) order);
    }

    /**
     * Returns the first element.
     *
     * @throws java.util.NoSuchElementException when the list is empty
     */
    E getFirst();

    /**
     * Returns the last element.
     *
     * @throws java.util.NoSuchElementException when the list is empty
     */
    E getLast();

    /**
     * Removes the first element and returns it.
     *
     * @throws java.util.NoSuchElementException when the list is empty
     */
    E removeFirst();

    /**
     * Removes the last element and returns it.
     *
     * @throws java.util.NoSuchElementException when the list is empty
     */
    E removeLast();

    /** Returns a copy of the list as it is now, an ordinary list of this process that can be changed. */
    List<E> snapshot();

    /**
     * Runs a function on the list itself, at its host, while no other caller uses it.
     *
     * @param function gets the list; what it returns travels as a copy
     * @throws RemoteTaskException what the function threw
     */
    <R extends @Nullable Object> R call(RemoteFunction<? super List<E>, ? extends R> function);
}
