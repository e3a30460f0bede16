// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * A {@link FiberQueue} that keeps account of its items until they are done: its taker calls {@link #taskDone()} when
 * it has worked on it. Items that a process has taken and not done when it ends return to the head of the queue, in
 * their order, so each is done at least once; until then {@link #join()} goes on waiting. An item for which
 * {@link #take()} threw a {@link SerializationException} is taken, too.
 *
 * @param <E> must be serializable; not null
 * @see Manager for the exceptions that every method throws
 */
public interface JoinableQueue<E> extends FiberQueue<E> {

    /**
     * Says that an item is done: of those that this thread has taken and not done, the one that it took first; if there is
     * none, the same of its process.
     *
     * @throws IllegalStateException (FBR-434) when there is none either
     */
    void taskDone();

    /**
     * Waits until every item that was put is done.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    void join();

    /**
     * Waits until every item that was put is done, or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return whether they are
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    boolean join(Duration timeout);
}
