// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.QueueClosedException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.shared.host.ObjectOperation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The items that a thread has put into a queue and that the queue does not hold yet. They are under way together, so that
 * a quick writer does not wait for each of them. That thread puts; any thread may flush.
 */
final class PutWindow {

    /** Beside a larger item, no other one is under way. */
    private static final long MOST_BYTES = 256 << 10;
    /** A writer that pauses for longer gains little. Its items are in the queue when {@code put} returns. */
    private static final long QUICK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RemoteObject queue;
    private final RpcRouter router;
    private final ArrayDeque<Wait> waits = new ArrayDeque<>();
    /** How many items may be under way, as the queue has said; the first one is put without knowing. */
    private long most;
    /** When an item was put last. */
    private long lastNs;

    private long sent;
    private long answered;
    private long bytes;
    /** How many items were refused because the queue was closed, which no thread has been told. */
    private long refused;
    /** Why an item did not arrive for another reason, which no thread has been told. */
    private @Nullable Reply failure;

    /** A thread that waits until so many items have been answered. */
    private record Wait(Waiter waiter, long count) {}

    PutWindow(RemoteObject queue) {
        this.queue = queue;
        this.router = queue.process().router();
    }

    /** Returns whether the next item need not wait until the queue holds it, because it comes soon after another one. */
    synchronized boolean isOpen() {
        return most > 1 && router.conductor().nowNs() - lastNs < QUICK_NS;
    }

    /** An item was put by itself, and the queue has said how many may be under way. */
    synchronized void open(long items) {
        most = items;
        lastNs = router.conductor().nowNs();
    }

    /** Returns whether all items were answered and no thread has to be told about one. */
    synchronized boolean isSettled() {
        return answered >= sent && refused == 0 && failure == null;
    }

    /**
     * Sends an item as soon as there is room for it.
     *
     * @throws QueueClosedException FBR-410 if the queue has refused an earlier item
     * @throws WaitInterruptedException if the thread is interrupted before the item is sent
     */
    void put(Request request) {
        requireSound();
        long length = request.body().length();
        for (Wait wait = enter(length); wait != null; wait = enter(length)) {
            await(wait);
            requireSound();
        }
        try {
            router.call(queue.address(), request, reply -> onReply(length, reply));
        } catch (Throwable notSent) {
            ended(length);
            throw notSent;
        }
        open();
    }

    private synchronized void open() {
        lastNs = router.conductor().nowNs();
    }

    /** Returns null if an item may be sent, otherwise what to wait for. */
    private synchronized @Nullable Wait enter(long length) {
        long items = sent - answered;
        if (items <= 0 || (items < most && bytes + length <= MOST_BYTES)) {
            sent++;
            bytes += length;
            return null;
        }
        // A writer that is woken for each item would send one at a time.
        return newWait(Math.max(answered + 1, sent - most / 2));
    }

    /** Waits until the queue holds all items that were put so far. Throws what {@link #put} throws. */
    void flush() {
        Wait wait = waitForAll();
        if (wait != null) {
            await(wait);
        }
        requireSound();
    }

    private synchronized @Nullable Wait waitForAll() {
        return answered >= sent ? null : newWait(sent);
    }

    private Wait newWait(long count) {
        Wait wait = new Wait(new Waiter(), count);
        waits.add(wait);
        return wait;
    }

    private void await(Wait wait) {
        try {
            router.conductor().await(() -> {}, wait.waiter(), Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("room in queue " + queue.address(), e);
        }
    }

    /**
     * Throws, once, what has become of earlier items: of all of them, because those under way will not be accepted either.
     * Then the next item waits for the queue.
     */
    void requireSound() {
        Wait wait = unsoundWait();
        if (wait != null) {
            await(wait);
            throw takeFailure(0);
        }
    }

    private synchronized @Nullable Wait unsoundWait() {
        if (refused == 0 && failure == null) {
            return null;
        }
        Wait wait = newWait(sent);
        endWaits();
        return wait;
    }

    /** Returns the exception for items that came too late, and for {@code more} that were refused to the caller now. */
    synchronized RuntimeException takeFailure(long more) {
        Reply failed = failure;
        long late = refused + more;
        boolean isOnlyTheLast = refused == 0;
        failure = null;
        refused = 0;
        most = 0;
        if (failed != null) {
            return queue.failure(failed, ObjectOperation.CALL);
        }
        String lost = isOnlyTheLast
                ? "nothing was added."
                : "of those that this thread has put, " + late + " came too late and were not added.";
        return new QueueClosedException(
                "FBR-410", "The queue " + queue.address() + " is closed and takes no more items; " + lost);
    }

    /** Called by the conductor. */
    private synchronized void onReply(long length, Reply reply) {
        if (!(reply instanceof Reply.Answer answer)) {
            failure = reply;
        } else if (SyncReply.of(answer.argument(), answer.payload()).outcome() == Outcome.CLOSED) {
            refused++;
        }
        ended(length);
    }

    private synchronized void ended(long length) {
        answered++;
        bytes -= length;
        endWaits();
    }

    private void endWaits() {
        for (Iterator<Wait> each = waits.iterator(); each.hasNext(); ) {
            Wait wait = each.next();
            if (answered >= wait.count()) {
                each.remove();
                wait.waiter().end();
            }
        }
    }
}
