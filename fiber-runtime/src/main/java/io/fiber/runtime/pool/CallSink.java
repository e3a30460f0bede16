// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;

/** Where the answers of a call go. All methods are called by the conductor and return at once. */
public interface CallSink {

    /** Takes the results of {@code count} consecutive items; each item is answered once. */
    void onResults(long firstIndex, int count, SealedPayload results);

    /**
     * Takes results some of which are failures.
     *
     * @param worker what errors call the worker that ran the items
     */
    default void onFailures(long firstIndex, int count, SealedPayload results, String worker) {
        onResults(firstIndex, count, results);
    }

    /**
     * Takes what an item threw in its earlier tries, right before it is answered for good with a failure.
     *
     * @param failures in their order, each a block of this one item
     */
    default void onTries(long index, List<Answers.Block> failures) {}

    /**
     * Takes the news that an item was given up, because each of its workers died.
     *
     * @param attempts how many workers it had begun at, or was sent to, as the loss says
     */
    void onLost(long index, int attempts, Loss loss);

    /** Takes the news that an item ran longer than it may, took no notice of an interrupt, and was ended with its worker. */
    void onOverdue(long index, String worker);

    /** Takes the news that every item has been answered. */
    void onEnd(long items);

    /** Takes the news that the rest will never be answered. */
    void onBroken(FiberException cause);

    /** Tells whether results that were not taken yet leave room for more items to be started. */
    boolean hasRoom();
}
