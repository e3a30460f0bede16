// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/** The callers that wait for answers. One of them may read in the place of the I/O thread. Thread-safe. */
final class Waiters {

    private final Queue<Waiter> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final NanoClock clock;
    private final Conductor conductor;
    private final Selection selection;

    Waiters(NanoClock clock, Conductor conductor, Selection selection) {
        this.clock = clock;
        this.conductor = conductor;
        this.selection = selection;
    }

    /** Waits; returns false if the time has passed. */
    boolean await(Waiter waiter, long timeoutNs) throws InterruptedException {
        long startNs = clock.nanoTime();
        waiter.among = this;
        waiting.add(waiter);
        try {
            while (!waiter.isOver() && !conductor.isClosed()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long leftNs = timeoutNs - (clock.nanoTime() - startNs);
                if (leftNs <= 0) {
                    return false;
                }
                waitOnce(waiter, leftNs);
            }
            return true;
        } finally {
            waiting.remove(waiter);
            wakeNext();
        }
    }

    private void waitOnce(Waiter waiter, long limitNs) throws InterruptedException {
        if (selection.tryEnter()) {
            try {
                conductor.readFor(waiter, limitNs);
            } finally {
                selection.leave();
            }
        } else {
            LockSupport.parkNanos(this, limitNs);
        }
    }

    /** If no thread has the place, wakes the caller that has waited longest, so that it reads. */
    void wakeNext() {
        Waiter next = selection.isFree() ? waiting.peek() : null;
        if (next != null) {
            next.wake();
        }
    }

    void wakeAll() {
        waiting.forEach(Waiter::wake);
    }

    void wakeReader(Thread thread) {
        selection.wake(thread);
    }

    /** A wait was ended. */
    void onEnd() {
        ended.incrementAndGet();
    }

    /** Returns how many waits were ended so far. */
    int ended() {
        return ended.get();
    }
}
