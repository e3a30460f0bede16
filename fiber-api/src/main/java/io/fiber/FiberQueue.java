// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;

/**
 * A queue, first in, first out, with any number of writers and readers in any processes. {@link Fiber#queue()} makes one
 * that lives in this process and ends with it, {@link Manager#queue()} one in the manager's process. What this is, is a
 * handle: it travels as an argument, a result, a captured value or an item of another queue, and wherever it arrives it means
 * the same queue. A queue is full with so many items as it was made for, and also when they take a quarter of the heap of the
 * process where it lives; one item always fits.
 *
 * <pre>{@code
 * for (Frame frame : frames) {        // until the queue is closed and everything was received
 *     show(frame);
 * }
 * }</pre>
 *
 * <p>An iterator takes items until the queue is closed and all of them were received; others may take, too.
 *
 * <p>Items of one writer arrive in their order. Callers that wait are served in the order in which they came. An item that a
 * reader took stays with the queue until that thread takes again, or its task or program has ended: when its process dies
 * before, the item goes back to the head of the queue and to another reader. So every item is received at least once, and
 * exactly once as long as no process dies. With a {@link JoinableQueue} the reader says itself when it is done with an item.
 *
 * <p>Thread-safe. Every method throws {@link FiberException} (FBR-400) when the process where the queue lives is gone.
 * Methods that wait throw {@link WaitInterruptedException} when the thread is interrupted; nothing was added or taken then.
 *
 * @param <T> what is sent: serializable, not null
 */
public interface FiberQueue<T> extends Iterable<T>, Serializable, AutoCloseable {

    /**
     * Adds an item at the tail. Waits while the queue is full, and until the queue holds the item.
     *
     * @throws QueueClosedException (FBR-410) when the queue is closed
     * @throws SerializationException when the item cannot be serialized
     */
    void put(T item);

    /** Adds an item if there is room; returns whether there was. Throws what {@link #put} throws. */
    boolean offer(T item);

    /**
     * Adds an item as {@link #put} does, unless the queue stays full for too long.
     *
     * @param limit how long to wait while the queue is full; 0 or less does not wait
     * @return whether the queue holds the item
     */
    boolean offer(T item, Duration limit);

    /**
     * Takes the item at the head. Waits while the queue is empty.
     *
     * @throws QueueClosedException (FBR-411) when the queue is closed and all its items were received
     * @throws SerializationException when the item cannot be deserialized here; it is taken nonetheless
     */
    T take();

    /** Takes the item at the head if there is one. Throws what {@link #take} throws. */
    Optional<T> poll();

    /**
     * Takes the item at the head as {@link #take} does, unless the queue stays empty for too long.
     *
     * @param limit how long to wait while the queue is empty; 0 or less does not wait
     * @return the item; empty when none came in time
     */
    Optional<T> poll(Duration limit);

    /** Returns how many items the queue holds that no reader has. Others add and take at the same time: an estimate. */
    int size();

    /** Tells whether the queue holds no item that no reader has: an estimate, too. */
    default boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Closes the queue for all processes: puts fail from now on, those that wait too; takes get what is left, and fail
     * then. A take that finds nothing left waits while readers have not done with what they took, because that would come
     * back if they died. May be called twice. When the process where the queue lives is gone it does nothing.
     */
    @Override
    void close();
}
