// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.Messages;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive items of one call that travel together. Belongs to the conductor.
 *
 * <p>It waits in the scheduler's queue, is assigned to a slot, and is done when all its items are answered. If its worker is
 * lost, what was not answered goes back to the queue, in parts and:
 *
 * <ul>
 *   <li><em>announced</em>: its worker tells before it deserializes the function and before it starts an item, so that after
 *       another loss the suspects are known. If items may run only once, this holds from the beginning;
 *   <li><em>alone</em>: nothing else is in its worker, so that one suspect is left. Where workers have several threads, this
 *       is so only before the last attempt, because it idles the other threads.
 * </ul>
 */
public final class Chunk extends LinkedQueue.Element<Chunk> {

    /** What has begun, if nothing has; below {@link Messages#FUNCTION}, which is -1. */
    private static final int NOTHING = -2;

    final Call call;
    private Items items;
    /** Unique in the pool once it was assigned. */
    long id;
    /** Which run of it this is. */
    int attempt;
    /** How many of its items have been answered. */
    int answered;

    private int failed;
    private int begunItem = NOTHING;
    /** How often each of its items was begun, or may have been, on workers that are lost. */
    int lostAttempts;
    /** How many workers in a row were lost to which it was sent, before anything of it began. */
    int lostUnbegun;

    /** Whether a lost worker held it behind another chunk. */
    private boolean lostBehind;

    boolean announced;
    boolean alone;
    /** Whether its call was cancelled: its worker drops what has not begun. */
    boolean cancelled;
    /** How long its items will take together, as far as their function was measured. */
    double expectedNs;

    private @Nullable TaskSlot slot;
    /** Whether its worker was asked to give back what has not begun. */
    boolean recalled;

    private long recalledNs;
    /** Whether its worker has given back what had not begun. */
    private boolean shortened;

    private boolean firstOfIdleThread;
    long sentNs;

    public Chunk(Call call, Items items) {
        if (items.count() < 1) {
            throw new IllegalArgumentException("A chunk of " + items.count() + " items from item " + items.firstIndex()
                    + " on: its worker would return no result, and the call would never end.");
        }
        this.call = call;
        this.items = items;
        this.announced = call.limits.maxAttempts() == 1 || call.isSuspect() || call.isDoubted();
        this.alone = call.isDoubted();
    }

    /** Returns a chunk of a part of these items, announced, after a loss that has cost each of them an attempt or not. */
    Chunk partAgain(int from, int length, int attemptsLost) {
        Chunk part = new Chunk(call, items.part(from, length));
        part.announced = true;
        part.lostAttempts = attemptsLost;
        return part;
    }

    /** Returns its next item alone, of which nothing had begun when each of the last {@code workersLost} was lost. */
    Chunk nextItemAgainUnbegun(int workersLost) {
        Chunk part = partAgain(answered, 1, lostAttempts);
        part.lostUnbegun = workersLost;
        return part.aloneFromNowOn();
    }

    /**
     * Notes that a lost worker held it behind another chunk. The second time it runs alone: it may be what ends workers as it
     * arrives, and would be sent behind others for ever.
     */
    Chunk lostBehindAnother(Chunk earlierRun) {
        alone |= earlierRun.lostBehind;
        lostBehind = true;
        return this;
    }

    /** Nothing may run beside it in its worker. */
    Chunk aloneFromNowOn() {
        alone = true;
        return this;
    }

    /** Tells whether its items have lost attempts and have one left. */
    boolean isLastAttempt() {
        return lostAttempts > 0 && lostAttempts + 1 >= call.limits.maxAttempts();
    }

    /** Returns a part of this chunk that has not begun, to be sent on its own. */
    Chunk unsentPart(int from, int length) {
        Chunk part = new Chunk(call, items.part(from, length));
        part.announced = announced;
        part.alone = alone;
        part.lostAttempts = lostAttempts;
        part.lostUnbegun = lostUnbegun;
        part.lostBehind = lostBehind;
        return part;
    }

    /** Returns its number, unique in the pool once it was assigned. */
    public long id() {
        return id;
    }

    /** Returns which run of it this is. */
    public int attempt() {
        return attempt;
    }

    public Call call() {
        return call;
    }

    public TaskFunction function() {
        return call.function;
    }

    public Items items() {
        return items;
    }

    /** Tells whether its worker announces each item, and the function, before it begins. */
    public boolean isAnnounced() {
        return announced;
    }

    /** Returns which task thread of its worker it goes to. */
    public int slotNumber() {
        return slot().number;
    }

    /** Returns how long each of its items may run; 0 for as long as it takes. */
    public long deadlineNs() {
        return call.deadlineNs(firstIndex());
    }

    /** Returns how many of its items have been answered. */
    public int answered() {
        return answered;
    }

    /** Returns how many of its answered items have failed. */
    public int failed() {
        return failed;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    void assign(long newId, TaskSlot to, double expected) {
        id = newId;
        slot = to;
        attempt++;
        expectedNs = expected;
    }

    /** Returns the slot that it was assigned to. */
    TaskSlot slot() {
        return requireNonNull(slot, "slot");
    }

    /** Tells whether its slot runs it, or will do so next. */
    boolean isFirst() {
        return slot().held.peek() == this;
    }

    int count() {
        return items.count();
    }

    long firstIndex() {
        return items.firstIndex();
    }

    void answer(ResultHeader answer) {
        answered += answer.count();
        failed += answer.failed();
    }

    /** Tells whether an answer can be that to its next items. */
    boolean isNext(ResultHeader answer) {
        return answer.firstItem() == answered
                && answer.count() > 0
                && answer.count() <= items.count() - answered
                && answer.isPlausible();
    }

    public boolean isDone() {
        return answered == items.count();
    }

    void begun(int item) {
        begunItem = item;
        lostUnbegun = 0;
    }

    /** Tells whether the first item without an answer is known to have begun, or the function for it. */
    boolean hasBegun() {
        return announced && (begunItem == answered || isFunctionBegun());
    }

    /** Tells whether its worker deserializes its function, for its first item. */
    boolean isFunctionBegun() {
        return announced && begunItem == Messages.FUNCTION && answered == 0;
    }

    void recall(long nowNs) {
        recalled = true;
        recalledNs = nowNs;
    }

    /** Tells whether it was never recalled, or so long ago without an answer that it is worth asking again. */
    boolean mayBeRecalled(long nowNs, long patienceNs) {
        return !shortened && (!recalled || nowNs - recalledNs >= patienceNs);
    }

    /** Its worker has answered the recall: what is left has begun. */
    void recallAnswered() {
        shortened = true;
    }

    /** Keeps the first {@code count} items; returns what the others were expected to take. */
    double shorten(int count) {
        double each = expectedNs / items.count();
        double less = each * (items.count() - count);
        items = items.part(0, count);
        expectedNs -= less;
        return less;
    }

    void sentToIdleThread(long nowNs) {
        firstOfIdleThread = true;
        sentNs = nowNs;
    }

    /** Tells whether its next answer is the first one of a thread that had nothing before. */
    boolean isFirstAnswerOfIdleThread() {
        return firstOfIdleThread && answered == 0;
    }
}
