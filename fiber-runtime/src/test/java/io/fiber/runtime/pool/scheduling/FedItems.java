// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Items that a test feeds block by block. */
final class FedItems implements Source {

    private static final int MOST_BLOCKS = 32;

    private final ArrayDeque<Items> blocks = new ArrayDeque<>();
    private int suggestedItems = 1;
    private long fed;
    private boolean ended;
    private boolean closed;

    /** Feeds a block; returns false if too many wait. */
    boolean offer(int count, SealedPayload payload) {
        if (blocks.size() == MOST_BLOCKS) {
            return false;
        }
        blocks.add(new Items(Items.Form.ENCODED, fed, count, 0, payload, 0));
        fed += count;
        return true;
    }

    /** Says that no block follows. */
    void end() {
        ended = true;
    }

    int suggestedItems() {
        return suggestedItems;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost, long nowNs) {
        Items block = blocks.poll();
        if (block == null) {
            return null;
        }
        int items = Math.min(block.count(), atMost);
        if (items < block.count()) {
            blocks.addFirst(block.part(items, block.count() - items));
        }
        return new Chunk(call, block.part(0, items));
    }

    @Override
    public boolean isExhausted() {
        return ended && blocks.isEmpty();
    }

    @Override
    public long known() {
        return blocks.stream().mapToLong(Items::count).sum();
    }

    @Override
    public void suggest(int items) {
        suggestedItems = items;
    }

    @Override
    public void close() {
        closed = true;
    }
}
