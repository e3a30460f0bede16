// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.pool.progress.CallProgress;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.CallSink;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The answers of one call on their way from the conductor to their consumer. Results stay serialized here: the
 * consumer's own thread reads them. What is not consumed fills up, and then no more items are started.
 */
final class Answers implements CallSink {

    /** With this many results waiting, the call's next items are held back. */
    private static final int GREATEST_ITEMS = 1 << 17;

    /** The same bound for large results. */
    private static final long GREATEST_BYTES = 8L << 20;
    /** Large results wake the consumer early, so that it reads some while others arrive. */
    private static final long WAKE_AT_BYTES = 1L << 18;

    private final ManyToOneConcurrentLinkedQueue<Answer> events = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicInteger items = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Room room;
    private final int wakeAtItems;
    private final Runnable wakeConsumer;
    private final Runnable wakeConductor;
    private volatile boolean stalled;
    /** Recorded results that wait: they hold back those that follow them, and no item, because one may be waited for. */
    private final Set<Answer.Block> recorded = ConcurrentHashMap.newKeySet();

    private final AtomicLong recordedBytes = new AtomicLong();
    private volatile boolean recordedStalled;
    private volatile @Nullable Runnable wakeFeeder;
    /** Tells listeners how far the call has come; null if none listens. */
    private @Nullable CallProgress progress;

    /** Why no more items could be read, when their iterator threw. */
    private volatile @Nullable FiberException unreadable;

    /**
     * Creates the answers of a call.
     *
     * @param wakeAtItems how many results are worth waking the consumer for; the end and failures always are
     */
    Answers(Room room, int wakeAtItems, Runnable wakeConsumer, Runnable wakeConductor) {
        this.room = room;
        this.wakeAtItems = wakeAtItems;
        this.wakeConsumer = wakeConsumer;
        this.wakeConductor = wakeConductor;
    }

    /** Has listeners told how far the call has come. Called before the call begins. */
    void watch(CallProgress how) {
        progress = how;
    }

    /** Waits until the listeners were told the end, but not for ever. Called by the caller. */
    void awaitEndTold() {
        if (progress != null) {
            progress.awaitEndTold();
        }
    }

    @Override
    public void onProgress(int tasks, int failures) {
        if (progress != null) {
            progress.answered(tasks, failures);
        }
    }

    @Override
    public void onOver() {
        if (progress != null) {
            progress.ended();
        }
    }

    @Override
    public void onAnswer(Answer answer) {
        if (!(answer instanceof Answer.Block block)) {
            add(answer);
            return;
        }
        long waitingBytes = bytes.addAndGet(block.results().length());
        events.offer(block);
        boolean isMuch = items.addAndGet(block.count()) >= wakeAtItems || waitingBytes > WAKE_AT_BYTES;
        if (isMuch || block.worker().isPresent()) {
            wakeConsumer.run();
        }
    }

    /** Takes recorded results of consecutive items. Called by the feeder, which {@code wakeFeeder} wakes if there was no room. */
    void onRecorded(Answer.Block block) {
        recorded.add(block);
        recordedBytes.addAndGet(block.results().length());
        add(block);
    }

    /** Sets what wakes the feeder. Called before the call begins. */
    void wakeFeederBy(Runnable wake) {
        wakeFeeder = wake;
    }

    /** Tells whether more recorded results may be added. Called by the feeder. */
    boolean hasRoomForRecorded() {
        if (room == Room.UNBOUNDED || isRecordedBelowLimits()) {
            return true;
        }
        recordedStalled = true;
        return isRecordedBelowLimits();
    }

    private boolean isRecordedBelowLimits() {
        return recorded.size() < GREATEST_ITEMS && recordedBytes.get() < GREATEST_BYTES;
    }

    /** Says that the call ends with a fault once what was fed of it is answered. Called by the feeder before its end. */
    void endWith(FiberException fault) {
        unreadable = fault;
    }

    @Override
    public void onEnd(long total) {
        FiberException fault = unreadable;
        add(fault == null ? new Answer.End(total) : new Answer.Broken(fault));
    }

    @Override
    public void onBroken(FiberException cause) {
        add(new Answer.Broken(cause));
    }

    private void add(Answer event) {
        events.offer(event);
        wakeConsumer.run();
    }

    @Override
    public boolean hasRoom() {
        if (room == Room.UNBOUNDED || isBelowLimits()) {
            return true;
        }
        stalled = true;
        return isBelowLimits();
    }

    private boolean isBelowLimits() {
        return items.get() < GREATEST_ITEMS && bytes.get() < GREATEST_BYTES;
    }

    /** Takes the next event; null when there is none now. Called by the consumer. */
    @Nullable
    Answer poll() {
        return events.poll();
    }

    /**
     * Tells whether there is no event now; when it says no, {@link #poll} returns one. The queue's own {@code isEmpty}
     * already says no while an event is being added. Called by the consumer.
     */
    boolean isEmpty() {
        return events.peek() == null;
    }

    /** Says that a block has been read and its memory is free. Called by the consumer. */
    void consumed(Answer.Block block) {
        if (!recorded.isEmpty() && recorded.remove(block)) {
            recordedBytes.addAndGet(-block.results().length());
            Runnable wake = wakeFeeder;
            if (recordedStalled && wake != null && isRecordedBelowLimits()) {
                recordedStalled = false;
                wake.run();
            }
            return;
        }
        items.addAndGet(-block.count());
        bytes.addAndGet(-block.results().length());
        if (stalled && isBelowLimits()) {
            stalled = false;
            wakeConductor.run();
        }
    }

    /** Whether a call's results are all kept by who asked for them, or must be taken before more are made. */
    enum Room {
        UNBOUNDED,
        BOUNDED
    }
}
