// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;

/** Where the answers of a call go. Called by the conductor; all methods return at once. */
public interface CallSink {

    /** Takes what became of consecutive items, results or one item without; each item is answered once. */
    void onAnswer(Answer answer);

    /** Takes the news that every item has been answered. */
    void onEnd(long items);

    /** Takes the news that the rest will never be answered. Any thread may call it. */
    void onBroken(FiberException cause);

    /** Takes the news that so many items were answered, {@code failures} of them by a failure. */
    default void onProgress(int items, int failures) {}

    /** Takes the news that nothing more of the call will run; of a call that was cancelled it is the only one. */
    default void onOver() {}

    /** Tells whether results that were not taken yet leave room for more items to be started. */
    boolean hasRoom();
}
