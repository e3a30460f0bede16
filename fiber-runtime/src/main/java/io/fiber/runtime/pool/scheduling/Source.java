// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import org.jspecify.annotations.Nullable;

/** The items of a call, as the conductor takes them: never blocking. */
public interface Source {

    /** Returns the next items as a chunk of the call, at most {@code atMost}; null when none is ready at {@code nowNs}. */
    @Nullable
    Chunk next(Call call, int atMost, long nowNs);

    /** Tells whether {@link #next} will never return a chunk again. */
    boolean isExhausted();

    /** Returns how many items are known to be left; more may come when the source is not exhausted. */
    long known();

    /** Tells whether workers shall be started for its items; false only before the first one is known. */
    default boolean needsWorkers() {
        return true;
    }

    /** Takes the advice that the next chunks should have this many items. */
    default void suggest(int items) {}

    /** Takes the news that so many more of its items were answered. */
    default void answered(int items) {}

    /** Takes the news that the call has ended and no item will be taken any more. */
    default void close() {}
}
