// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;

/**
 * A bounded queue with any number of writers and readers in any processes of the program. What this is, is a handle: it
 * travels as an argument, a result, a captured value or an item of another queue, and wherever it arrives it means the
 * same queue. The items live in the process that made the queue and end with it. A queue is full with so many items as it
 * was made for, and also when they take a quarter of the heap of that process; one item always fits.
 *
 * <p>Items of one writer arrive in their order. Readers that wait are served in the order in which they came, each with
 * one item at a time. An item that a reader in a worker took stays with the queue until that thread takes again, or its
 * task or program has ended: when the worker dies before, the item goes back to the head of the queue and to another
 * reader. So every item is received at least once, and exactly once as long as no worker dies.
 *
 * <p>Thread-safe. Methods that wait can be interrupted.
 *
 * @param <T> what is sent: serializable
 */
public interface FiberQueue<T> extends Serializable, AutoCloseable {

    /**
     * Adds an item at the tail. Waits while the queue is full, and until the queue holds the item.
     *
     * @throws QueueClosedException (FBR-410) when the queue is closed
     * @throws SerializationException when the item cannot be serialized
     * @throws FiberException (FBR-400) when the process that made the queue is gone
     * @throws WaitInterruptedException when the thread is interrupted; the item was not added then
     */
    void put(T item);

    /**
     * Adds an item as {@link #put} does, unless the queue stays full for too long.
     *
     * @param limit how long to wait while the queue is full; zero does not wait for room
     * @return whether the queue holds the item
     * @throws FiberException as {@link #put} throws it
     */
    boolean offer(T item, Duration limit);

    /**
     * Takes the item at the head. Waits while the queue is empty.
     *
     * @throws QueueClosedException (FBR-411) when the queue is closed and all its items were received
     * @throws SerializationException when the item cannot be deserialized here; it is taken nonetheless
     * @throws FiberException (FBR-400) when the process that made the queue is gone
     * @throws WaitInterruptedException when the thread is interrupted; nothing was taken then
     */
    T take();

    /**
     * Takes the item at the head as {@link #take} does, unless the queue stays empty for too long.
     *
     * @param limit how long to wait while the queue is empty; zero takes what is there
     * @return the item; empty when none came in time
     * @throws FiberException as {@link #take} throws it
     */
    Optional<T> poll(Duration limit);

    /**
     * Returns how many items the queue holds that no reader has. Others add and take at the same time, so it is an
     * estimate.
     *
     * @throws FiberException (FBR-400) when the process that made the queue is gone
     */
    int size();

    /**
     * Closes the queue for all processes: puts fail from now on, those that wait too; takes get what is left, and fail
     * then. A take that finds nothing left waits while readers in workers have not done with what they took, because
     * that would come back if they died. May be called twice. When the process that made the queue is gone it does
     * nothing.
     */
    @Override
    void close();
}
