// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.Items;
import io.fiber.runtime.pool.scheduling.Source;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Items that a feeding thread serializes into blocks. The feeder asks {@link #suggestedItems} how many items the next
 * block should have, so that a block is a chunk; bounded in blocks and in bytes, so that an endless input needs constant
 * memory. One thread feeds, the conductor takes.
 */
final class BlockSource implements Source {

    /** A power of two, which the queue needs; enough that a feeder is woken for several blocks at a time. */
    private static final int GREATEST_BLOCKS = 32;
    /** Bounds the memory of an endless input with large items. */
    private static final long GREATEST_BYTES = 16L << 20;
    /**
     * Workers without items wait for so long before they are given a block that is not full: a feeder which is only slower
     * than they are, or waits for a processor, must not be made to send its items one by one.
     */
    private static final long STARVED_NS = 200_000;

    private final OneToOneConcurrentArrayQueue<Block> blocks = new OneToOneConcurrentArrayQueue<>(GREATEST_BLOCKS);
    private volatile int suggestedItems = 1;
    private volatile boolean inputEnded;
    private volatile boolean feederWaits;
    private volatile boolean closed;
    /** What is in the feeder's hand was asked for, and there was no room for it. */
    private volatile boolean flushRefused;

    private volatile Runnable whenStarved = () -> {};
    private final Runnable wakeFeeder;
    private final SubmissionBudget budget;
    /** What was fed and not answered, in its order; as many items of it as were answered, wherever, count as answered. */
    private final Queue<Unanswered> unanswered = new ConcurrentLinkedQueue<>();

    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger unitsHeld = new AtomicInteger();
    private int answeredOfFirst;
    private volatile int unitsWanted;
    /** Only the feeder writes it. */
    private volatile long fedItems;
    /** The place of the next item that is fed; only the feeder uses it. */
    private long nextIndex;
    /** Whether the call may turn out to need no worker, because all its results are recorded. */
    private volatile boolean waitsForItems;

    private volatile @Nullable Runnable whenNeeded;

    private long takenItems;
    private int splitFrom;
    private Supply supply = Supply.FLOWING;
    private long emptySinceNs;

    /** Creates a source whose items count in a budget; {@code wakeFeeder} ends the feeder's wait for room. */
    BlockSource(Runnable wakeFeeder, SubmissionBudget budget) {
        this.wakeFeeder = wakeFeeder;
        this.budget = budget;
    }

    int suggestedItems() {
        return suggestedItems;
    }

    /**
     * Makes room for a block; returns false when too many wait, and {@link #hasRoom} tells when to try again. Called by the
     * feeder, which adds the block then.
     */
    boolean reserve(int count, long bytes) {
        int units = budget.units(bytes);
        unitsWanted = units;
        if (!hasRoom()) {
            return false;
        }
        boolean counted = budget.tryTake(units);
        // A call of which nothing is held is not kept waiting: others may be held because this one is waited for.
        if (!counted && !unanswered.isEmpty()) {
            return false;
        }
        unitsHeld.addAndGet(counted ? units : 0);
        unanswered.add(new Unanswered(count, counted ? units : 0));
        if (closed) {
            giveBackAll();
        }
        return true;
    }

    /** Adds a block for which there is room. Called by the feeder. */
    void add(int count, SealedPayload payload) {
        long fed = fedItems;
        fedItems = fed + count;
        blocks.offer(new Block(nextIndex, count, payload));
        nextIndex += count;
        waitingBytes.addAndGet(payload.length());
    }

    /** Says that the next items need no answer. Called by the feeder. */
    void skip(int items) {
        nextIndex += items;
    }

    /** Returns how many items were fed. */
    long fed() {
        return fedItems;
    }

    /** Has no worker started before there is an item, which {@code whenNeeded} tells. Called before the call begins. */
    void waitForItems(Runnable whenNeeded) {
        this.whenNeeded = whenNeeded;
        waitsForItems = true;
    }

    /** Says that the feeder has an item in hand, which may stay there while it waits for the next one. */
    void itemIsInHand() {
        Runnable told = whenNeeded;
        if (waitsForItems && told != null) {
            waitsForItems = false;
            told.run();
        }
    }

    @Override
    public boolean needsWorkers() {
        return !waitsForItems;
    }

    @Override
    public void answered(int items) {
        if (closed) {
            return;
        }
        answeredOfFirst += items;
        for (Unanswered first = unanswered.peek();
                first != null && answeredOfFirst >= first.items();
                first = unanswered.peek()) {
            answeredOfFirst -= first.items();
            unanswered.remove();
            unitsHeld.addAndGet(-first.units());
            budget.giveBack(first.units());
            if (unanswered.isEmpty() && feederWaits) {
                wakeFeeder.run();
            }
        }
    }

    private void giveBackAll() {
        budget.giveBack(unitsHeld.getAndSet(0));
    }

    /** Says that no block follows. Called by the feeder. */
    void end() {
        inputEnded = true;
    }

    /** Tells whether a block would be taken; to be asked before parking, after {@link #feederWaits}. */
    boolean hasRoom() {
        return blocks.size() < GREATEST_BLOCKS
                && (blocks.isEmpty() || waitingBytes.get() < GREATEST_BYTES)
                && (unanswered.isEmpty() || budget.hasRoom(unitsWanted));
    }

    /** Says whether the feeder is about to park until there is room. */
    void feederWaits(boolean waits) {
        feederWaits = waits;
        if (waits) {
            budget.watch(wakeFeeder);
        } else {
            budget.unwatch(wakeFeeder);
        }
    }

    @Override
    public void suggest(int items) {
        if (items != suggestedItems) {
            suggestedItems = items;
        }
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost, long nowNs) {
        Block block = blocks.peek();
        if (block == null) {
            missed(nowNs);
            return null;
        }
        supply = Supply.FLOWING;
        int items = Math.min(block.count() - splitFrom, atMost);
        Chunk chunk = new Chunk(
                call,
                new Items(Items.Form.ENCODED, block.firstIndex() + splitFrom, items, 0, block.payload(), splitFrom));
        takenItems += items;
        splitFrom += items;
        if (splitFrom == block.count()) {
            blocks.poll();
            splitFrom = 0;
            waitingBytes.addAndGet(-block.payload().length());
            if (feederWaits && isWorthFeeding()) {
                wakeFeeder.run();
            }
        }
        return chunk;
    }

    /** A feeder is woken for half of the room: for one block at a time it would be woken as often as there are blocks. */
    private boolean isWorthFeeding() {
        return blocks.isEmpty() || (blocks.size() <= GREATEST_BLOCKS / 2 && waitingBytes.get() < GREATEST_BYTES / 2);
    }

    private void missed(long nowNs) {
        if (inputEnded) {
            return;
        }
        if (supply == Supply.FLOWING) {
            supply = Supply.EMPTY;
            emptySinceNs = nowNs;
        } else if (supply == Supply.EMPTY ? nowNs - emptySinceNs >= STARVED_NS : flushRefused && hasRoom()) {
            supply = Supply.STARVED;
            flushRefused = false;
            whenStarved.run();
        }
    }

    /**
     * Sets who is told, by the conductor, that workers have been waiting for a block for a while: the feeder may itself be
     * waiting for its next item, with others in hand. It is told once for each time, and again when there was no room.
     */
    void whenStarved(Runnable action) {
        whenStarved = action;
    }

    /** Says that there was no room for what the feeder was to hand over; it is asked again when there is. Any thread. */
    void flushRefused() {
        flushRefused = true;
    }

    @Override
    public boolean isExhausted() {
        return inputEnded && blocks.isEmpty();
    }

    @Override
    public long known() {
        return fedItems - takenItems;
    }

    @Override
    public void close() {
        closed = true;
        budget.unwatch(wakeFeeder);
        giveBackAll();
        wakeFeeder.run();
    }

    /** Tells whether feeding has become pointless. Called by the feeder. */
    boolean isClosed() {
        return closed;
    }

    private record Block(long firstIndex, int count, SealedPayload payload) {}

    private record Unanswered(int items, int units) {}

    /** Whether there was a block when one was asked for last, and if not, whether the feeder was told. */
    private enum Supply {
        FLOWING,
        EMPTY,
        STARVED
    }
}
