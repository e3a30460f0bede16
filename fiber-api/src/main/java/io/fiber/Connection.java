// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * One end of a pipe in which both send and receive; it is closed for both directions. Thread-safe: one thread may receive while
 * another one sends.
 *
 * @param <S> what it sends
 * @param <R> what it receives
 * @see Fiber#pipe
 */
public interface Connection<S extends @Nullable Object, R extends @Nullable Object> extends Sender<S>, Receiver<R> {}
