// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * One end of a pipe that both sends and receives. Closing it closes both directions. Thread-safe: one thread may
 * receive while another one sends.
 *
 * @param <S> type of the objects that it sends
 * @param <R> type of the objects that it receives
 * @see Fiber#pipe
 */
public interface Connection<S extends @Nullable Object, R extends @Nullable Object> extends Sender<S>, Receiver<R> {}
