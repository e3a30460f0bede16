// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The end of a pipe that sends. It travels as an argument, a captured value, a result or an item of a queue. One
 * process uses it: the first one that sends, receives or polls, or that closes the end without having sent it
 * elsewhere. Closing an end that was sent to another process and not used here does nothing, because it belongs to the
 * other process. What one thread sends arrives in that order. Several threads may send; their messages are not mixed.
 *
 * <p>Until the other end is in use, about one mebibyte is buffered here. Beyond that, and later if the other end does
 * not receive what was sent, sending blocks.
 *
 * @param <T> type of the objects that it sends
 */
public interface Sender<T extends @Nullable Object> extends AutoCloseable, Serializable {

    /**
     * Sends an object. Blocks while the other end is behind.
     *
     * @param value serializable, up to 2 GiB
     * @throws EndOfStreamException FBR-451 if the other end was closed or its process has ended
     * @throws SerializationException if the object cannot be serialized; nothing was sent
     * @throws WaitInterruptedException if the thread is interrupted while it waits. The message is still delivered,
     *     unless it was waiting for another thread's message, or for room before the two ends had connected
     * @throws FiberException FBR-452 if another process uses this end, FBR-453 if it was closed here, FBR-454 and
     *     FBR-455 if the two ends could not connect
     */
    void send(T value);

    /**
     * Sends bytes unchanged; the other end receives them with {@link Receiver#receiveBytes}. Blocks and throws as
     * {@link #send} does. You may reuse the array when this method returns.
     */
    void sendBytes(byte[] bytes);

    /**
     * Closes the end. The other end receives what was sent and then the end of the stream. Does not wait for that, and
     * the process may end at once: it stays up to 20 s until what was sent has reached the process that uses the other
     * end, even if that process does not receive it. Idempotent.
     */
    @Override
    void close();
}
