// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Two ends between which objects and bytes go both ways, directly from process to process. Each end is used by one process,
 * whichever; both may be used by the same.
 *
 * @param <A> what the first end sends and the second one receives: serializable
 * @param <B> what the second end sends and the first one receives: serializable
 * @param first one end
 * @param second the other one
 * @see Fiber#pipe
 */
public record Pipe<A extends @Nullable Object, B extends @Nullable Object>(
        Connection<A, B> first, Connection<B, A> second) implements Serializable {}
