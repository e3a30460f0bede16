// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.Optional;

/**
 * A queue in the process of a {@link Manager}, first in, first out, for any number of readers and writers, who are served in
 * the order in which they came. It travels as an address. It is full with so many items as it was made for, and also
 * when they take a quarter of the heap of the manager's process; one item always fits.
 *
 * <p>An item that was taken stays with the queue until the thread that took it takes again, or its task or program has
 * ended: when its process dies before, the item goes back to the head of the queue and to another reader. So every item is
 * received at least once, and exactly once as long as no process dies. With a {@link JoinableQueue} the reader says itself
 * when it is done with an item. Thread-safe.
 *
 * @param <E> must be serializable; not null
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedQueue<E> {

    /**
     * Puts an item, and waits for room as long as it takes.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the item was not put then
     */
    void put(E item);

    /** Puts an item if there is room; returns whether there was. */
    boolean offer(E item);

    /**
     * Puts an item, and waits for room so long.
     *
     * @param timeout 0 or less does not wait
     * @return whether it was put
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the item was not put then
     */
    boolean offer(E item, Duration timeout);

    /**
     * Takes the first item, and waits for one as long as it takes.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; nothing was taken then
     */
    E take();

    /** Takes the first item if there is one. */
    Optional<E> poll();

    /**
     * Takes the first item, and waits for one so long.
     *
     * @param timeout 0 or less does not wait
     * @throws WaitInterruptedException when the thread is interrupted while it waits; nothing was taken then
     */
    Optional<E> poll(Duration timeout);

    /** Returns how many items there are now. */
    int size();

    /** Tells whether there is no item now. */
    default boolean isEmpty() {
        return size() == 0;
    }
}
