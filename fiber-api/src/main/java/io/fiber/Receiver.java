// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a pipe that receives. It travels as an argument, a captured value, a result or through a queue, and is
 * used by one process: the first that sends, receives or polls, or that closes an end which it has not sent
 * elsewhere. To close an end that was sent to another process and not used here does nothing: it is the other
 * process's. Of several threads that receive, each gets messages of its own.
 *
 * @param <T> what it receives
 */
public interface Receiver<T extends @Nullable Object> extends AutoCloseable, Serializable {

    /**
     * Receives the next object. Blocks until there is one.
     *
     * @throws EndOfStreamException FBR-450 when the other end was closed, or its process has ended, and everything that
     *     arrived has been received
     * @throws SerializationException when the object cannot be deserialized; the next one can be received
     * @throws WaitInterruptedException when the thread is interrupted while it waits; nothing is lost
     * @throws FiberException FBR-452 when this end is in use by another process, FBR-453 when it was closed here, FBR-454
     *     and FBR-455 when the two ends could not meet, FBR-456 when the next message is bytes, FBR-457 when the other
     *     end was closed and the last of what it had sent was lost with its process
     */
    T receive();

    /**
     * Receives the next bytes, which the other end has sent by {@link Sender#sendBytes}. Blocks and throws as
     * {@link #receive} does; FBR-456 when the next message is an object.
     */
    byte[] receiveBytes();

    /**
     * Waits until {@link #receive} would not wait: a message is there, or the stream has ended. Another thread may
     * receive the message first; then {@link #receive} waits.
     *
     * @param timeout how long at most; zero only looks
     * @return whether it is so
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     * @throws FiberException as {@link #receive} throws it, but for the end of the stream
     */
    boolean poll(Duration timeout);

    /**
     * Waits until {@link #receive} of at least one of several receivers would not wait, as Python's
     * {@code multiprocessing.connection.wait} does. A message may be noticed late, by up to a fiftieth of the time
     * for which none had come, and never by more than 5 ms.
     *
     * @param <R> what receives: receivers, connections
     * @param timeout how long at most; zero only looks
     * @return those of which it is so, in the order given; empty when time is up, or none was given
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     * @throws FiberException as {@link #poll} of one of them throws it
     */
    static <R extends Receiver<?>> List<R> awaitAny(Collection<? extends R> receivers, Duration timeout) {
        return Receivers.awaitAny(List.copyOf(receivers), timeout);
    }

    /**
     * Closes the end: the sender is told so. What has arrived and was not received is dropped. A second call does
     * nothing.
     */
    @Override
    void close();
}
