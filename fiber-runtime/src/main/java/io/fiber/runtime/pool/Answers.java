// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.PoolClosedException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import java.util.Optional;
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

    private static final long GREATEST_BYTES = 8L << 20;
    private static final long WAKE_AT_BYTES = 1L << 18;

    /** Something that a call was answered. */
    sealed interface Event {}

    /**
     * Results of consecutive items.
     *
     * @param worker what errors call the worker that ran them, when some of them are failures
     */
    record Block(long firstIndex, int count, SealedPayload results, Optional<String> worker) implements Event {
        /** Creates a block of which no result is a failure. */
        Block(long firstIndex, int count, SealedPayload results) {
            this(firstIndex, count, results, Optional.empty());
        }
    }

    /** An item that has no result. */
    sealed interface Refused extends Event {
        long index();
    }

    /**
     * An item that was given up, because its workers died.
     *
     * @param attempts how many workers it had begun at, or was sent to, as the loss says
     */
    record Lost(long index, int attempts, Loss loss) implements Refused {}

    /** An item that ran longer than it may, took no notice of an interrupt, and was ended with its worker. */
    record Overdue(long index, String worker) implements Refused {}

    /**
     * An item that has failed in each of its tries.
     *
     * @param last how the last one ended: {@link Lost}, {@link Overdue} or a block of this item alone
     * @param earlier what the ones before it threw
     */
    record Tried(long index, Event last, List<Block> earlier) implements Refused {}

    /** No more events follow: every item has been answered. */
    record End(long items) implements Event {}

    /** No more events follow: the rest will never be answered. */
    record Broken(FiberException cause) implements Event {
        /** Returns what the caller is thrown. What the conductor made gets the lines of the caller's thread. */
        RuntimeException thrown() {
            if (cause instanceof PoolTerminatedException terminated) {
                return terminated.asCancellation();
            }
            if (cause instanceof PoolBrokenException
                    || cause instanceof PoolClosedException
                    || cause instanceof WorkerLostException
                    || cause.code().equals("FBR-404")) {
                Throwable unused = cause.fillInStackTrace();
            }
            return cause;
        }
    }

    /** Whether a call's results are all kept by who asked for them, or must be taken before more are made. */
    enum Room {
        UNBOUNDED,
        BOUNDED
    }

    private final ManyToOneConcurrentLinkedQueue<Event> events = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicInteger items = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Room room;
    private final int wakeAtItems;
    private final Runnable wakeConsumer;
    private final Runnable wakeConductor;
    private volatile boolean stalled;
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

    @Override
    public void onAnswer(Event answer) {
        if (!(answer instanceof Block block)) {
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

    /** Says that the call ends with a fault once what was fed of it is answered. Called by the feeder before its end. */
    void endWith(FiberException fault) {
        unreadable = fault;
    }

    @Override
    public void onEnd(long total) {
        FiberException fault = unreadable;
        add(fault == null ? new End(total) : new Broken(fault));
    }

    @Override
    public void onBroken(FiberException cause) {
        add(new Broken(cause));
    }

    private void add(Event event) {
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
    Event poll() {
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
    void consumed(Block block) {
        items.addAndGet(-block.count());
        bytes.addAndGet(-block.results().length());
        if (stalled && isBelowLimits()) {
            stalled = false;
            wakeConductor.run();
        }
    }
}
