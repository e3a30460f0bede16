// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.Teardown;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The I/O thread: it rests until a link is ready, another thread calls, or something is due, and then runs a cycle. */
public final class IoThread {

    /**
     * How long callers may read in its place after an answer. A caller that calls again and again comes back after less. If
     * no caller comes, frames wait this long.
     */
    private static final long LENT_NS = 1_000_000;
    /** If a caller keeps the place for longer, because its thread does not run, this thread reads without the selector. */
    private static final long LEAVE_LIMIT_NS = 100_000_000;
    /** The pause after a cycle that failed. A shorter one would fill the log, a longer one delay heartbeats. */
    private static final long FAILED_PAUSE_NS = 10_000_000;
    /** Transports that signal what arrives are driven at least this often while cycles run, for their time limits. */
    private static final long SWEEP_NS = 50_000_000;
    /**
     * After this many cycles in a row for a ready channel that had nothing to read, it pauses before each, a millisecond
     * longer every time. A connection that waits because the process has too many open files stays ready, and would
     * otherwise occupy a processor.
     */
    private static final int FRUITLESS_CYCLES = 100;

    private static final int GREATEST_FRUITLESS_PAUSE_MS = 100;
    /** After this time without an end, a warning is logged and the I/O thread is interrupted. */
    private static final long END_LIMIT_MS = 5_000;

    private final Conductor conductor;
    private final Selection selection;
    private final Selection.Ready ready = new Selection.Ready();
    private final Backoff backoff = new Backoff();
    private long seenWorkNs;
    private long sweptNs;
    private int endedWaits;
    private int fruitlessCycles;
    /** Whether it reads all links, because a caller has not left its place. */
    private boolean isDisplaced;

    /** Whether another thread wants a cycle. */
    private volatile boolean called;
    /** The thread while it is parked. */
    private volatile @Nullable Thread parked;
    /** When the next cycle runs, if nothing comes. */
    private volatile long dueNs;

    IoThread(Conductor conductor, Selection selection) {
        this.conductor = conductor;
        this.selection = selection;
        this.dueNs = conductor.nowNs();
        this.sweptNs = dueNs - SWEEP_NS;
    }

    /** Starts the I/O thread of a master, which the teardown ends. */
    public static void start(Conductor conductor, Teardown teardown) {
        AtomicBoolean ends = new AtomicBoolean();
        Thread thread = new Thread(() -> run(conductor, ends), conductor.roleName());
        thread.setDaemon(true);
        thread.start();
        teardown.add(() -> {
            ends.set(true);
            conductor.wake();
            awaitEnd(thread);
        });
    }

    private static void run(Conductor conductor, AtomicBoolean ends) {
        try {
            conductor.run(() -> !ends.get() && !Thread.interrupted());
            conductor.onClose();
        } catch (Throwable thrown) {
            conductor.onFault(thrown);
        }
    }

    private static void awaitEnd(Thread thread) {
        try {
            for (thread.join(END_LIMIT_MS); thread.isAlive(); thread.join(END_LIMIT_MS)) {
                Logs.of(IoThread.class)
                        .log(
                                System.Logger.Level.WARNING,
                                "The thread '" + thread.getName() + "' has not ended within " + END_LIMIT_MS
                                        + " ms, as when a call of a provider hangs; it is interrupted.");
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Has it run a cycle. Thread-safe. */
    void wake() {
        called = true;
        Thread thread = parked;
        if (thread == null) {
            selection.wake();
        } else {
            LockSupport.unpark(thread);
        }
    }

    /** Returns when it runs its next cycle, if nothing comes. */
    long dueNs() {
        return dueNs;
    }

    /** Runs a cycle, after a rest. */
    void runOnce() {
        rest();
        cycle();
    }

    /** Runs a cycle now; returns how much was done. */
    int runNow() {
        called = true;
        rest();
        return cycle();
    }

    private void rest() {
        long nowNs = conductor.nowNs();
        if (!selection.isTold()) {
            long backoffNs = backoff.sleepNs(nowNs);
            // While a caller polls, this thread does so rarely: the other process, which is to answer, needs a
            // processor.
            long sleepNs = Math.min(dueNs - nowNs, selection.isFree() ? backoffNs : Math.max(LENT_NS, backoffNs));
            dueNs = nowNs + sleepNs;
            park(sleepNs);
            return;
        }
        Waiters waiters = conductor.waiters;
        while (endedWaits != waiters.ended() && !called && dueNs - nowNs > 0) {
            endedWaits = waiters.ended();
            selection.lend();
            waiters.wakeNext();
            park(Math.min(LENT_NS, dueNs - nowNs));
            nowNs = conductor.nowNs();
        }
        if (fruitlessCycles > FRUITLESS_CYCLES) {
            int pauseMs = Math.min(fruitlessCycles - FRUITLESS_CYCLES, GREATEST_FRUITLESS_PAUSE_MS);
            park(TimeUnit.MILLISECONDS.toNanos(pauseMs));
        }
        isDisplaced = !selection.enter(LEAVE_LIMIT_NS);
        if (isDisplaced) {
            return;
        }
        try {
            selection.select(dueNs - conductor.nowNs(), () -> called, ready);
        } finally {
            selection.leave();
        }
    }

    private void park(long sleepNs) {
        parked = Thread.currentThread();
        if (sleepNs > 0 && !called) {
            LockSupport.parkNanos(conductor, sleepNs);
        }
        parked = null;
    }

    private int cycle() {
        conductor.requireSound();
        conductor.turn.lock();
        try {
            called = false;
            long nowNs = conductor.nowNs();
            dueNs = nowNs + FAILED_PAUSE_NS;
            long bytesBefore = conductor.exchange.bytesRead;
            int work = conductor.isClosed() ? 0 : driveAndExchange(nowNs);
            boolean isFruitless = work == 0 && conductor.exchange.bytesRead == bytesBefore && !ready.isEmpty();
            fruitlessCycles = isFruitless ? fruitlessCycles + 1 : 0;
            if (work > 0 || seenWorkNs != conductor.exchange.lastWorkNs) {
                seenWorkNs = conductor.exchange.lastWorkNs;
                backoff.found(nowNs);
            }
            dueNs = nowNs + conductor.restNs();
            return work;
        } catch (Error e) {
            conductor.fail(e);
            throw e;
        } finally {
            ready.clear();
            conductor.turn.unlock();
        }
    }

    /** Drives the transports, always if it polls, otherwise if a channel or the time says so. */
    private int driveAndExchange(long nowNs) {
        int work = conductor.commands.runLater();
        if (!selection.isTold() || isDisplaced) {
            return work + conductor.drive() + conductor.exchange(nowNs, null);
        }
        boolean isSweepDue = nowNs - sweptNs >= SWEEP_NS;
        if (isSweepDue || work > 0 || ready.isDriveDue) {
            work += conductor.drive();
        }
        if (isSweepDue || work > 0) {
            // A link may have changed its state, or a lease be over.
            sweptNs = nowNs;
            ready.isCheckDue = true;
        }
        return work + conductor.exchange(nowNs, ready);
    }
}
