// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * A {@link FiberQueue} that tracks items until they are done: a reader calls {@link #taskDone()} when it has processed
 * an item. If a process ends, the items that it has taken and not marked as done return to the head of the queue, in
 * their order. So each item is done at least once, and until then {@link #join()} keeps waiting. An item for which
 * {@link #take()} threw a {@link SerializationException} counts as taken, too.
 *
 * @param <E> type of the items: serializable, not null
 * @see Manager for the exceptions that every method throws
 */
public interface JoinableQueue<E> extends FiberQueue<E> {

    /**
     * Marks an item as done: the one that this thread took first of those it has not marked. If the thread has none,
     * the item that its process took first is marked.
     *
     * @throws IllegalStateException (FBR-434) if the process has none either
     */
    void taskDone();

    /**
     * Waits until every item that was put is done.
     *
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    void join();

    /**
     * Waits until every item that was put is done or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether all items are done
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    boolean join(Duration timeout);
}
