// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The end of a pipe that sends. It travels as an argument, a captured value, a result or through a queue, and is used
 * by one process: the first that sends, receives or polls, or that closes an end which it has not sent elsewhere. To
 * close an end that was sent to another process and not used here does nothing: it is the other process's. What one
 * thread sends arrives in that order; several threads may send, and their messages are not mixed.
 *
 * <p>Before the other end is in use about a mebibyte is kept here; beyond that, and later when the other end does not
 * receive what was sent, sending waits.
 *
 * @param <T> what it sends
 */
public interface Sender<T extends @Nullable Object> extends AutoCloseable, Serializable {

    /**
     * Sends an object. Blocks while the other end is behind.
     *
     * @param value serializable, up to 2 GiB
     * @throws EndOfStreamException FBR-451 when the other end was closed or its process has ended
     * @throws SerializationException when the object cannot be serialized; nothing was sent
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the message is delivered
     *     nonetheless, unless it still waited for another thread's message, or for room before the two ends had met
     * @throws FiberException FBR-452 when this end is in use by another process, FBR-453 when it was closed here, FBR-454
     *     and FBR-455 when the two ends could not meet
     */
    void send(T value);

    /**
     * Sends bytes as they are; the other end takes them by {@link Receiver#receiveBytes}. Blocks as {@link #send} does
     * and throws what that throws. The array can be used again when the method returns.
     */
    void sendBytes(byte[] bytes);

    /**
     * Closes the end; the other one receives what was sent, then the end of the stream. Does not wait for that, and the
     * process may end at once: it stays, 20 s at most, until what was sent is in the process that uses the other end,
     * whether that process receives or not. A second call does nothing.
     */
    @Override
    void close();
}
