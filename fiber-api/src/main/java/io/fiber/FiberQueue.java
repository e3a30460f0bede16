// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;

/**
 * A first-in, first-out queue with any number of writers and readers, in any processes. {@link Fiber#queue()} creates a
 * queue that lives in this process and ends with it; {@link Manager#queue()} creates one in the manager's process. This
 * object is a handle: it can travel as an argument, a result, a captured value or an item of another queue, and refers
 * to the same queue everywhere. A queue is full when it holds as many items as its capacity, or when its items take a
 * quarter of the heap of the process where it lives. A single item always fits.
 *
 * <pre>{@code
 * for (Frame frame : frames) {        // until the queue is closed and everything was received
 *     show(frame);
 * }
 * }</pre>
 *
 * <p>An iterator takes items until the queue is closed and all items have been received. Other readers may take items
 * at the same time.
 *
 * <p>The items of one writer arrive in their order, and waiting callers are served in the order of their arrival. The
 * queue keeps an item that a reader has taken until the same thread takes another one or its task or program has ended.
 * If the reader's process dies before that, the item returns to the head of the queue and goes to another reader. So
 * every item that the queue held is received at least once, and exactly once if no process dies. With a
 * {@link JoinableQueue}, the reader itself says when it is done with an item.
 *
 * <p>Items that follow one another within a millisecond do not wait for each other. A thread that puts them has up to 64
 * of them, a sixteenth of the capacity or 256 KiB on their way to the queue; see {@link #put}. A thread that takes them is
 * sent up to 64 items of up to 4 KiB ahead. If it pauses for 20 ms, those that it has not taken return to the head of the
 * queue, where other readers may get them after later items. If its process dies, items that it has taken shortly before
 * may come again with them.
 *
 * <p>Thread-safe. If the process where the queue lives is gone, every method throws {@link FiberException} (FBR-400).
 * If the thread is interrupted, methods that wait throw {@link WaitInterruptedException}, and nothing is added or
 * taken.
 *
 * @param <T> type of the items: serializable, not null
 */
public interface FiberQueue<T> extends Iterable<T>, Serializable, AutoCloseable {

    /**
     * Adds an item at the tail. Waits while the queue is full, and until the queue holds the item. If this thread has put
     * another item within the last millisecond, the item may still be on its way when this method returns: it is lost if
     * this process is killed before it arrives. {@link #flush} waits for it, and so does the end of a task that succeeds. If
     * it is refused, the next put of this thread throws that, {@code flush} does, or the task of this thread fails.
     *
     * @throws QueueClosedException (FBR-410) if the queue is closed, or was closed before earlier items had arrived
     * @throws SerializationException if the item cannot be serialized
     */
    void put(T item);

    /**
     * Waits until the queue holds all items that threads of this process have put. Waits while the queue is full. If nothing
     * is on its way, returns at once.
     *
     * @throws QueueClosedException (FBR-410) if the queue was closed before all of them had arrived
     */
    void flush();

    /** Adds an item if there is room, and returns whether there was. Throws what {@link #put} throws. */
    boolean offer(T item);

    /**
     * Adds an item as {@link #put} does, and gives up if the queue stays full for too long.
     *
     * @param limit how long to wait while the queue is full; 0 or less does not wait
     * @return whether the item was added
     */
    boolean offer(T item, Duration limit);

    /**
     * Takes the item at the head. Waits while the queue is empty.
     *
     * @throws QueueClosedException (FBR-411) if the queue is closed and all its items have been received
     * @throws SerializationException if the item cannot be deserialized here; it has been taken nevertheless
     */
    T take();

    /**
     * Takes the item at the head if there is one. If another reader was sent the last items ahead, waits until it has taken
     * or returned them, some 20 ms. Throws what {@link #take} throws.
     */
    Optional<T> poll();

    /**
     * Takes the item at the head as {@link #take} does, and gives up if the queue stays empty for too long.
     *
     * @param limit how long to wait while the queue is empty; 0 or less does not wait
     * @return the item; empty if none arrived in time
     */
    Optional<T> poll(Duration limit);

    /**
     * Returns how many items are in the queue, without those that a reader has taken. This is an estimate, because
     * others add and take items at the same time.
     */
    int size();

    /** Returns whether the queue has no item to take. This is an estimate, like {@link #size()}. */
    default boolean isEmpty() {
        return size() == 0;
    }

    /**
     * Closes the queue for all processes. From now on puts fail, including those that are waiting. Takes return the
     * items that are left and then fail. If none is left, a take waits while readers are still working on items they
     * have taken, because those return if a reader dies. Does nothing if the process where the queue lives is gone.
     * Idempotent.
     */
    @Override
    void close();
}
