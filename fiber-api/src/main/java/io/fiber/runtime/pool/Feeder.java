// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.process.Codecs;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.serial.Subject;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.PayloadOutput;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Serializes the items of a call into blocks, a block at a time. Used by one thread. */
final class Feeder {

    private static final long GREATEST_BLOCK_BYTES = 1 << 16;
    private static final Subject ARGUMENT = new Subject("argument", "a call");

    private final Iterator<? extends @Nullable Object> items;
    private final BlockSource source;
    private final Codecs codecs;
    private final Seals seals;
    private final PayloadOutput out = new PayloadOutput();
    private long index;
    private int waitingCount;
    private @Nullable Parcel waiting;

    Feeder(Iterator<? extends @Nullable Object> items, BlockSource source, Codecs codecs, Seals seals) {
        this.items = items;
        this.source = source;
        this.codecs = codecs;
        this.seals = seals;
    }

    /** What is to be done next. */
    enum Step {
        /** A block was fed; there may be more. */
        FED,
        /** There is no room; try again when there is. */
        FULL,
        /** Everything was fed. */
        ENDED
    }

    /**
     * Feeds the next block.
     *
     * @throws io.fiber.SerializationException when an item cannot travel
     */
    Step feed() {
        Parcel block = waiting;
        if (block == null) {
            if (!items.hasNext()) {
                source.end();
                return Step.ENDED;
            }
            block = nextBlock();
        }
        if (source.offer(waitingCount, block)) {
            waiting = null;
            return Step.FED;
        }
        waiting = block;
        return Step.FULL;
    }

    private Parcel nextBlock() {
        int most = source.suggestedItems();
        int count = 0;
        while (count < most && out.length() < GREATEST_BLOCK_BYTES && items.hasNext()) {
            codecs.values().write(items.next(), out, ARGUMENT, index++);
            count++;
        }
        waitingCount = count;
        return seals.close(out.toPayload());
    }
}
