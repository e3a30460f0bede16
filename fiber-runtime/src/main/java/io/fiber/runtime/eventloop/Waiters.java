// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for what the conductor brings. One of them leads: it does the conductor's work; when its own wait
 * ends, the next one does. Thread-safe.
 */
final class Waiters {

    private final ConcurrentLinkedQueue<Waiter> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Waiter> leader = new AtomicReference<>();
    private final NanoClock clock;
    private final Conductor conductor;
    private final ConductorIdle idle;
    private volatile boolean called;

    Waiters(NanoClock clock, Conductor conductor, TransportWait transports) {
        this.clock = clock;
        this.conductor = conductor;
        this.idle = new ConductorIdle(clock, conductor::expectedByWaiter, transports, ConductorIdle.Rank.LEADER);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean haveLeader() {
        return leader.get() != null;
    }

    /** Makes the leader look again; returns false when there is none. */
    boolean wakeLeader() {
        if (!haveLeader()) {
            return false;
        }
        called = true;
        idle.wake();
        return haveLeader();
    }

    void wakeAll() {
        waiting.forEach(Waiter::wake);
    }

    boolean await(Waiter waiter, long timeoutNs) throws InterruptedException {
        long startNs = clock.nanoTime();
        waiting.add(waiter);
        try {
            while (!waiter.isOver()) {
                long leftNs = timeoutNs - (clock.nanoTime() - startNs);
                if (conductor.isClosed()) {
                    return true;
                } else if (Thread.interrupted()) {
                    throw new InterruptedException();
                } else if (leftNs <= 0) {
                    return false;
                }
                waitOnce(waiter, leftNs);
            }
            return true;
        } finally {
            leave(waiter);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is this thread's own
    private void waitOnce(Waiter waiter, long limitNs) {
        if (leader.get() != waiter) {
            if (!leader.compareAndSet(null, waiter)) {
                LockSupport.parkNanos(this, limitNs);
                return;
            }
            waiter.lead(idle);
            TimerSlack.makeSmall();
        }
        called = false;
        int done = conductor.exchangeForWaiter();
        if (!waiter.isOver()) {
            idle.idle(done, limitNs);
        }
    }

    private void leave(Waiter waiter) {
        waiting.remove(waiter);
        if (leader.compareAndSet(waiter, null)) {
            idle.reset();
        }
        Waiter next = waiting.peek();
        if (next != null && !haveLeader()) {
            next.wake();
        }
    }

    /** Tells whether the leader was called, and left before it could look again. */
    boolean owesLook() {
        return called && !haveLeader();
    }
}
