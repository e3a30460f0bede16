// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.codec.Input;
import java.util.OptionalLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Items that a feeding thread serializes into blocks. The feeder asks {@link #suggestedItems} how many items the next
 * block should have, so that a block is a chunk; bounded in blocks and in bytes, so that an endless input needs constant
 * memory. One thread feeds, the conductor takes.
 */
public final class BlockSource implements Source {

    private static final int GREATEST_BLOCKS = 32;
    private static final long GREATEST_BYTES = 16L << 20;
    /** A feeder that is only slower than the workers brings its next block sooner than they have looked so often. */
    private static final int STARVED_LOOKS = 16;

    private final OneToOneConcurrentArrayQueue<Block> blocks = new OneToOneConcurrentArrayQueue<>(GREATEST_BLOCKS);
    private volatile int suggestedItems = 1;
    private volatile long takenBytes;
    private volatile boolean inputEnded;
    private volatile boolean feederWaits;
    private volatile boolean closed;
    private volatile Runnable whenStarved = () -> {};
    private final Runnable wakeFeeder;
    private final OptionalLong total;
    private long fedItems;
    private long fedTotal;
    private volatile long fedBytes;
    private int splitFrom;
    /** How often in a row nothing was there; -1 when that was told. */
    private int emptyLooks;

    private long takenTotal;

    /** Creates a source of nobody knows how many items; {@code wakeFeeder} ends the feeder's wait for room. */
    public BlockSource(Runnable wakeFeeder) {
        this(wakeFeeder, OptionalLong.empty());
    }

    /** Creates a source; {@code wakeFeeder} ends the feeder's wait for room. */
    BlockSource(Runnable wakeFeeder, OptionalLong total) {
        this.wakeFeeder = wakeFeeder;
        this.total = total;
    }

    @Override
    public OptionalLong total() {
        return total;
    }

    private record Block(long firstIndex, int count, Parcel parcel) {}

    /** Returns how many items the next block should have. Called by the feeder. */
    public int suggestedItems() {
        return suggestedItems;
    }

    /**
     * Adds a block, unless too many wait. Called by the feeder.
     *
     * @return false when it was not taken; {@link #hasRoom} tells when to try again
     */
    public boolean offer(int count, Parcel parcel) {
        if (!hasRoom() || !blocks.offer(new Block(fedItems, count, parcel))) {
            return false;
        }
        fedItems += count;
        fedTotal += parcel.length();
        fedBytes = fedTotal;
        return true;
    }

    /** Says that no block follows. Called by the feeder. */
    public void end() {
        inputEnded = true;
    }

    /** Tells whether a block would be taken; to be asked before parking, after {@link #feederWaits}. */
    public boolean hasRoom() {
        return blocks.size() < GREATEST_BLOCKS && (blocks.isEmpty() || fedBytes - takenBytes < GREATEST_BYTES);
    }

    /** Says whether the feeder is about to park until there is room. */
    public void feederWaits(boolean waits) {
        feederWaits = waits;
    }

    /** Sets how many items the next blocks should have. Called by the conductor. */
    @Override
    public void suggest(int items) {
        if (items != suggestedItems) {
            suggestedItems = items;
        }
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost) {
        Block block = blocks.peek();
        if (block == null) {
            lookedInVain();
            return null;
        }
        emptyLooks = 0;
        int items = Math.min(block.count() - splitFrom, atMost);
        Chunk chunk = new Chunk(
                call, new Items(Input.ITEMS, block.firstIndex() + splitFrom, items, 0, block.parcel(), splitFrom));
        splitFrom += items;
        if (splitFrom == block.count()) {
            blocks.poll();
            splitFrom = 0;
            takenTotal += block.parcel().length();
            takenBytes = takenTotal;
            if (feederWaits && hasRoom()) {
                wakeFeeder.run();
            }
        }
        return chunk;
    }

    private void lookedInVain() {
        if (inputEnded || emptyLooks < 0) {
            return;
        }
        emptyLooks++;
        if (emptyLooks == STARVED_LOOKS) {
            emptyLooks = -1;
            whenStarved.run();
        }
    }

    /**
     * Sets who is told, by the conductor and once for each time, that workers have been waiting for a block for a while: the
     * feeder may itself be waiting for its next item, with others in hand.
     */
    public void whenStarved(Runnable action) {
        whenStarved = action;
    }

    @Override
    public boolean isExhausted() {
        return inputEnded && blocks.isEmpty();
    }

    @Override
    public long known() {
        return blocks.size();
    }

    @Override
    public void close() {
        closed = true;
        wakeFeeder.run();
    }

    /** Tells whether feeding has become pointless. Called by the feeder. */
    public boolean isClosed() {
        return closed;
    }
}
