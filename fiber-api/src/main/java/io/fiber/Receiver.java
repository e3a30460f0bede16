// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a pipe that receives. It travels as an argument, a captured value, a result or an item of a queue. One
 * process uses it: the first one that sends, receives or polls, or that closes the end without having sent it
 * elsewhere. Closing an end that was sent to another process and not used here does nothing, because it belongs to the
 * other process. If several threads receive, each message goes to one of them.
 *
 * @param <T> type of the objects that it receives
 */
public interface Receiver<T extends @Nullable Object> extends AutoCloseable, Serializable {

    /**
     * Receives the next object. Blocks until there is one.
     *
     * @throws EndOfStreamException FBR-450 if the other end was closed or its process has ended, and all that arrived
     *     has been received
     * @throws SerializationException if the object cannot be deserialized; you can receive the next one
     * @throws WaitInterruptedException if the thread is interrupted while it waits; nothing is lost
     * @throws FiberException FBR-452 if another process uses this end, FBR-453 if it was closed here, FBR-454 and
     *     FBR-455 if the two ends could not connect, FBR-456 if the next message is bytes, FBR-457 if the other end was
     *     closed and its last messages were lost with its process
     */
    T receive();

    /**
     * Receives the next bytes, which the other end sent with {@link Sender#sendBytes}. Blocks and throws as {@link
     * #receive} does; FBR-456 if the next message is an object.
     */
    byte[] receiveBytes();

    /**
     * Waits until {@link #receive} would not block, because there is a message or the stream has ended. Another thread
     * may receive the message first; then {@link #receive} blocks.
     *
     * @param timeout maximum time to wait; with zero or less, this only checks
     * @return whether {@link #receive} would not block
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     * @throws FiberException as {@link #receive} throws it, except for the end of the stream
     */
    boolean poll(Duration timeout);

    /**
     * Waits until {@link #receive} of at least one of several receivers would not block, like Python's {@code
     * multiprocessing.connection.wait}. A message may be noticed late, by up to one fiftieth of the time since the call
     * began and by no more than 5 ms.
     *
     * @param <R> type of the receivers, for example connections
     * @param timeout maximum time to wait; with zero or less, this only checks
     * @return the receivers that would not block, in the order given; empty if the time has passed or no receiver was
     *     given
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     * @throws FiberException as {@link #poll} of one of them throws it
     */
    static <R extends Receiver<?>> List<R> awaitAny(Collection<? extends R> receivers, Duration timeout) {
        return Receivers.awaitAny(List.copyOf(receivers), timeout);
    }

    /**
     * Closes the end, and tells the sender. Messages that have arrived and were not received are dropped. Idempotent.
     */
    @Override
    void close();
}
