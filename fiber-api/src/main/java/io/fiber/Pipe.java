// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A pipe that carries objects and bytes in both directions, directly between two processes. One process uses each end;
 * the same process may use both.
 *
 * @param <A> type of the objects that the first end sends and the second one receives; serializable
 * @param <B> type of the objects that the second end sends and the first one receives; serializable
 * @param first one end
 * @param second the other end
 * @see Fiber#pipe
 */
public record Pipe<A extends @Nullable Object, B extends @Nullable Object>(
        Connection<A, B> first, Connection<B, A> second) implements Serializable {}
