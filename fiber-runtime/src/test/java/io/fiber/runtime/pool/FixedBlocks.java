// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.SealedPayload;

/** Blocks of items that a test feeds. */
final class FixedBlocks {

    private FixedBlocks() {}

    /** Returns a source of blocks that are not counted beside those of other calls. */
    static BlockSource of(Runnable wakeFeeder) {
        return new BlockSource(wakeFeeder, new SubmissionBudget(Long.MAX_VALUE));
    }

    /** Feeds a block, if there is room. */
    static boolean offer(BlockSource blocks, int items, SealedPayload payload) {
        if (!blocks.reserve(items, payload.length())) {
            return false;
        }
        blocks.add(items, payload);
        return true;
    }
}
