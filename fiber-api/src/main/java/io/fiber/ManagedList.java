// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableComparator;
import io.fiber.function.SerializablePredicate;
import io.fiber.function.SerializableUnaryOperator;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list that lives in the process of a {@link Manager}. Each method is one call that runs there alone and is therefore
 * atomic, except {@code listIterator()}, {@code subList}, {@code reversed} and {@code containsAll}. Elements travel as
 * copies. If an element is a list, set or map of the JDK, you receive a copy that rejects changes (FBR-445); change the
 * original with {@link #call}. The list itself travels as an address: a task, another managed collection or a queue
 * that receives it sees the same list.
 *
 * <p>Functions run in the manager's process and must be serializable. A lambda that you pass directly is; one that was
 * declared as a plain {@link java.util.function.Predicate} is not (FBR-201). Each {@code iterator()}, for-each loop and
 * stream fetches a whole {@link #snapshot()}, the content of one moment. {@code listIterator()} and {@code subList}
 * fetch each element with a call of its own. Iterators do not remove; use {@link #removeIf(SerializablePredicate)}.
 *
 * <p>Every method waits for the manager's process. Thread-safe.
 *
 * @param <E> type of the elements; serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedList<E extends @Nullable Object> extends List<E>, Serializable {

    /** Removes the elements that the predicate accepts, and returns whether there were any. */
    default boolean removeIf(SerializablePredicate<? super E> filter) {
        return removeIf((Predicate<? super E>) filter);
    }

    /** Replaces each element with the result of the operator. */
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
     * @throws java.util.NoSuchElementException if the list is empty
     */
    E getFirst();

    /**
     * Returns the last element.
     *
     * @throws java.util.NoSuchElementException if the list is empty
     */
    E getLast();

    /**
     * Removes the first element and returns it.
     *
     * @throws java.util.NoSuchElementException if the list is empty
     */
    E removeFirst();

    /**
     * Removes the last element and returns it.
     *
     * @throws java.util.NoSuchElementException if the list is empty
     */
    E removeLast();

    /** Returns a copy of the current content as an ordinary list of this process, which you may change. */
    List<E> snapshot();

    /**
     * Runs a function on the list itself, in the manager's process, while no other caller uses it.
     *
     * @param function receives the list; what it returns travels as a copy
     * @throws RemoteTaskException if the function throws
     */
    <R extends @Nullable Object> R call(RemoteFunction<? super List<E>, ? extends R> function);
}
