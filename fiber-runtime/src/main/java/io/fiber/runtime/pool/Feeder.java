// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.SerializationException;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadLimitException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.serialization.functions.ClassStamp;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the items of a call into blocks, a block at a time. One thread feeds; while it waits for its items, any other
 * may hand over what it has so far by {@link #flush}.
 */
final class Feeder {

    /** A block travels at once: over 1 Gbit/s this takes 2 ms, in which nothing else reaches that worker. */
    private static final long GREATEST_BLOCK_BYTES = 1 << 18;

    /** How much is serialized before its turn: it takes a caller some 10 ms, and each call that waits this much memory. */
    private static final long GREATEST_AHEAD_BYTES = 4 << 20;

    private static final ValueName ARGUMENT = new ValueName("argument", "a call");

    private final Iterator<? extends @Nullable Object> items;
    final BlockSource source;
    private final Codecs codecs;
    private final Seals seals;
    private final PayloadOutput out = new PayloadOutput();
    private boolean stopped;
    /** The position of the next item in the input. */
    private long index;
    /** The position of the next item that is put in hand; guarded by the lock. */
    private long place;
    /** Answers items whose results are recorded; null without a journal. */
    private @Nullable RecordedResults recorded;
    /** How many items behind those in hand were answered so; guarded by the lock. */
    private int skipped;
    /** How many items are in hand; guarded by the lock, as {@link #out} is. */
    private int count;

    /** What was serialized before its turn, each item behind its length; null when all of it was fed. */
    private @Nullable PayloadInput ahead;

    /** The code on which each of these depends, if there is a journal. */
    private final Queue<List<ClassStamp>> codeAhead = new ArrayDeque<>();

    /** The item behind those that were serialized before their turn, if it was asked for. */
    private @Nullable Object kept;

    private boolean isKept;

    /** The reader waits, and there was nothing in hand: the next item goes at once. */
    private boolean awaited;

    /** Whether the block in hand is full; it stays so while there is no room for it. Only the feeding thread uses it. */
    private boolean complete;

    Feeder(Iterator<? extends @Nullable Object> items, BlockSource source, Codecs codecs, Seals seals) {
        this.items = items;
        this.source = source;
        this.codecs = codecs;
        this.seals = seals;
    }

    /** Has large arrays sent from where they are, because they do not change while the caller waits. Called before anything is fed. */
    void referToArrays() {
        out.referToArrays();
    }

    /** Has items answered from a journal. Called before anything is fed. */
    void recall(RecordedResults results) {
        recorded = results;
    }

    /**
     * Serializes the first items before their turn, as far as they are small: their caller may change them from then on.
     * Called before anything is fed.
     */
    void readAhead() {
        PayloadOutput early = new PayloadOutput(GREATEST_AHEAD_BYTES);
        while (!isKept && hasNextNow()) {
            Object item = items.next();
            long start = early.length();
            try {
                early.writeInt(0);
                codecs.values().write(item, early, ARGUMENT, index);
                early.setInt(start, (int) (early.length() - start - Integer.BYTES));
                if (recorded != null) {
                    codeAhead.add(codeOf(item));
                }
                index++;
            } catch (SerializationException | PayloadLimitException e) {
                // There is no room for it, or its turn brings this error to the call.
                early.truncate(start);
                kept = item;
                isKept = true;
            }
        }
        ahead = early.length() == 0 ? null : early.toPayload().open();
    }

    /** What the input throws belongs to the item behind the last one: {@link #feed} meets it again, in its turn. */
    private boolean hasNextNow() {
        try {
            return items.hasNext();
        } catch (FiberException e) {
            return false;
        }
    }

    /**
     * Feeds the next block.
     *
     * @throws io.fiber.SerializationException when an item cannot travel
     */
    Step feed() {
        if (recorded != null && !recorded.hasRoom()) {
            return Step.FULL;
        }
        while (!complete) {
            PayloadInput early = ahead;
            if (stopped || (early == null && !isKept && !items.hasNext())) {
                return end();
            }
            complete = early == null ? add(next()) : addAhead(early);
        }
        if (!handOver()) {
            return Step.FULL;
        }
        complete = false;
        return Step.FED;
    }

    /** Tells whether {@link #feed} would make progress. */
    boolean hasRoom() {
        return source.hasRoom() && (recorded == null || recorded.hasRoom());
    }

    private Step end() {
        if (!handOver()) {
            return Step.FULL;
        }
        source.end();
        return Step.ENDED;
    }

    /** Asks for no more items: their iterator has thrown. What was read before is fed; otherwise as {@link #feed}. */
    Step stop() {
        stopped = true;
        return feed();
    }

    /** Hands over all that is in hand, because the reader waits for it, unless there is no room. Any thread may call it. */
    synchronized void flush() {
        awaited = count == 0;
        if (!handOver()) {
            source.flushRefused();
        }
    }

    private synchronized boolean handOver() {
        if (count > 0) {
            if (!source.reserve(count, out.length())) {
                return false;
            }
            int items = count;
            // Before sealing: if sealing runs out of memory, no part of the block is fed.
            count = 0;
            awaited = false;
            source.add(items, seals.close(out.toPayload()));
        }
        source.skip(skipped);
        skipped = 0;
        return true;
    }

    private @Nullable Object next() {
        if (!isKept) {
            return items.next();
        }
        Object item = kept;
        kept = null;
        isKept = false;
        return item;
    }

    private synchronized boolean addAhead(PayloadInput early) {
        long start = out.length();
        try {
            int length = early.readInt();
            out.write(early.take(length), early.taken(), length);
        } catch (IOException e) {
            throw new IllegalStateException("What was written here cannot be read.", e);
        }
        if (early.remaining() == 0) {
            ahead = null;
        }
        // What was read ahead has lost its objects.
        return isCompleteWithOneMore(start, codeAhead.isEmpty() ? List.of() : codeAhead.remove());
    }

    /**
     * Adds an item; returns true when the block is complete. The item was fetched outside the lock, so {@link #flush} can run
     * while the iterator blocks.
     */
    private synchronized boolean add(@Nullable Object item) {
        long start = out.length();
        codecs.values().write(item, out, ARGUMENT, index++);
        return isCompleteWithOneMore(start, codeOf(item));
    }

    private List<ClassStamp> codeOf(@Nullable Object item) {
        return recorded == null ? List.of() : codecs.values().codeOf(item);
    }

    /** A block has consecutive items, so it ends before an item that is answered from the journal. */
    private boolean isCompleteWithOneMore(long start, List<ClassStamp> code) {
        if (recorded != null && recorded.isTaken(place++, out, start, code)) {
            out.truncate(start);
            skipped++;
            return true;
        }
        count++;
        source.itemIsInHand();
        return awaited || count >= source.suggestedItems() || out.length() >= GREATEST_BLOCK_BYTES;
    }

    /** How feeding goes on. */
    enum Step {
        /** A block was fed; there may be more. */
        FED,
        /** There is no room; try again when there is. */
        FULL,
        /** Everything was fed. */
        ENDED
    }
}
