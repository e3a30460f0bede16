// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.QueueMachine.Delivery;
import io.fiber.runtime.shared.machines.SyncReply;
import io.fiber.runtime.shared.machines.SyncRequest;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The items of a queue that have been sent to a thread before it asks for them, because it takes them quickly. Items
 * that it has not taken after some milliseconds return to the head of the queue, for other readers. Used by that thread
 * and, for what arrives and for what is overdue, by the thread that has the conductor's turn.
 */
final class ReadAhead implements Duty {

    /** More items on their way do not make a queue faster: a frame has room for some hundred. */
    private static final int MOST_ITEMS = 64;
    /** A thread that takes longer for an item gains little from a next one that is here already, and others may be free. */
    private static final long QUICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Shorter, and more items would return because the host was busy for a moment, and come to a reader after later ones.
     * Longer, and other readers would notice that they wait.
     */
    private static final long HOLD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RemoteObject queue;
    private final RpcRouter router;
    private final Delivery delivery;
    /** What has arrived, in the order of the queue. */
    private final ArrayDeque<SyncReply> arrived = new ArrayDeque<>();
    /** Deliveries of items that the thread is done with, which the queue does not know yet. */
    private final ArrayDeque<Long> done = new ArrayDeque<>();

    private @Nullable Waiter waiter;
    /** How many items have been asked for and have not arrived. */
    private int asked;
    /** How many items may be here or asked for. */
    private int most;
    /** Whether the queue held more items when it was last heard of. */
    private boolean hasMore;

    private long handedNs;
    /** When the first of the items in {@link #arrived} became the first. */
    private long sinceNs;

    private boolean isOnDuty;

    /** @param delivery what the queue keeps of this thread's items */
    ReadAhead(RemoteObject queue, Delivery delivery) {
        this.queue = queue;
        this.delivery = delivery;
        this.router = queue.process().router();
        this.handedNs = router.conductor().nowNs() - QUICK_NS;
    }

    /** The thread is done with the item of a delivery, and asks for another one. */
    synchronized void done(long number) {
        done.add(number);
    }

    /** The thread is done with the item of a delivery, and with the queue for now. */
    void end(long number) {
        router.conductor().execute(() -> {
            done(number);
            giveUp();
        });
    }

    /**
     * Returns the next item. If it is on its way, waits for it, which is short, because the queue had it already. Returns
     * empty if the thread must ask the queue.
     */
    Optional<SyncReply> next() {
        begin();
        awaitReplies(Replies.FIRST);
        return takeArrived();
    }

    /** The thread's task has ended: what it was sent and has not taken returns before others learn of that. */
    void giveBack() {
        awaitReplies(Replies.ALL);
        giveUp();
        router.sendWaiting();
    }

    /** Returns whether nothing is here or on its way. */
    synchronized boolean isIdle() {
        return arrived.isEmpty() && done.isEmpty() && asked <= 0;
    }

    /** What to wait for. */
    private enum Replies {
        FIRST,
        ALL
    }

    private void awaitReplies(Replies wanted) {
        boolean interrupted = false;
        for (Waiter arrival = newWaiter(wanted); arrival != null; arrival = newWaiter(wanted)) {
            try {
                router.conductor().await(() -> {}, arrival, Long.MAX_VALUE);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what to wait for; null if it is here, or nothing is on its way. */
    private synchronized @Nullable Waiter newWaiter(Replies wanted) {
        boolean isHere = wanted == Replies.FIRST && !arrived.isEmpty();
        waiter = isHere || asked <= 0 ? null : new Waiter();
        return waiter;
    }

    private Optional<SyncReply> takeArrived() {
        Optional<SyncReply> first;
        int wanted;
        synchronized (this) {
            first = Optional.ofNullable(arrived.poll());
            first.ifPresentOrElse(this::handOver, this::tellDone);
            // If nothing is here, the thread asks first: what is sent ahead comes behind that.
            wanted = first.isPresent() ? wanted() : 0;
        }
        ask(wanted);
        return first;
    }

    private synchronized void begin() {
        if (router.conductor().nowNs() - handedNs > QUICK_NS) {
            most = 0;
        } else {
            most = Math.min(MOST_ITEMS, 2 * most + 1);
        }
    }

    /** The thread has asked the queue, which has sent an item. */
    void answered(SyncReply reply) {
        int wanted;
        synchronized (this) {
            hasMore = reply.outcome() == Outcome.DONE_WITH_MORE;
            handedNs = router.conductor().nowNs();
            wanted = wanted();
        }
        ask(wanted);
    }

    private void handOver(SyncReply item) {
        handedNs = router.conductor().nowNs();
        sinceNs = handedNs;
        if (delivery == Delivery.AT_MOST_ONCE) {
            done.add(item.number());
        }
    }

    /** Returns how many items to ask for: half of them at a time, so that they share a message. */
    private int wanted() {
        int room = most - asked - arrived.size();
        if (!hasMore || room <= 0 || room < most / 2) {
            return 0;
        }
        tellDone();
        asked += room;
        return room;
    }

    /** Not to be called with the lock: there may be no room for commands. */
    private void ask(int items) {
        int left = items;
        try {
            Request request = SyncRequest.of(Operation.TAKE_AHEAD).encode();
            for (; left > 0; left--) {
                router.call(queue.address(), request, this::onReply);
            }
        } catch (StackOverflowError e) {
            // The thread has its item; the next one it will ask for.
            unask(left);
        }
    }

    private synchronized void unask(int items) {
        asked -= items;
    }

    /** Deliveries with numbers in a row share a message. */
    private void tellDone() {
        while (!done.isEmpty()) {
            long first = done.remove();
            int count = 1;
            while (!done.isEmpty() && done.element() == first + count) {
                done.remove();
                count++;
            }
            router.tellWithNext(queue.address(), SyncRequest.encodeReceived(first, count));
        }
    }

    private synchronized void onReply(Reply reply) {
        asked--;
        hasMore = false;
        if (reply instanceof Reply.Answer answer) {
            SyncReply read = SyncReply.of(answer.argument(), answer.payload());
            hasMore = read.outcome() == Outcome.DONE_WITH_MORE;
            if (read.hasItem()) {
                if (arrived.isEmpty()) {
                    sinceNs = router.conductor().nowNs();
                }
                arrived.add(read);
                if (!isOnDuty) {
                    isOnDuty = true;
                    router.conductor().addDuty(this);
                }
            }
        }
        // If the reply is a failure, the thread asks the queue itself and learns why.
        Waiter waiting = waiter;
        if (waiting != null && (asked <= 0 || !arrived.isEmpty())) {
            waiter = null;
            waiting.end();
        }
    }

    /** Returns items that have been here for too long. */
    @Override
    public synchronized int doWork(long nowNs) {
        if (asked > 0 || nowNs - sinceNs < HOLD_NS) {
            return 0;
        }
        isOnDuty = false;
        router.conductor().removeDuty(this);
        return giveUp();
    }

    /** Returns what is here, unless later items are on their way: the thread would have them first. */
    private synchronized int giveUp() {
        tellDone();
        int returned = asked > 0 ? 0 : arrived.size();
        for (int i = 0; i < returned; i++) {
            Request request = SyncRequest.encodeTold(
                    Operation.RETURN, arrived.removeLast().number());
            router.tellWithNext(queue.address(), request);
        }
        return returned;
    }

    @Override
    public boolean isUrgent() {
        return true;
    }
}
