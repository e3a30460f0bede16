// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.conductor;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * How the conductor waits when nothing happened. It looks a few times more, then it sleeps: for a small share of the time
 * that nothing has happened, so that what is noticed late is late by that share at most, up to a length that costs
 * nothing. When no frame is expected the share is larger. A command of another thread, or of a task that has ended, ends
 * the sleep at once; a frame from a peer is found at its end.
 *
 * <p>It never yields: on a machine with more threads than processors a thread that yields is put behind all others for
 * milliseconds, while one that slept is run at once.
 */
public final class ConductorIdle implements IdleStrategy {

    /** Says whether a frame is expected soon. */
    @FunctionalInterface
    interface Expectation {
        /** Tells whether somebody owes this process an answer. */
        boolean isFrameExpected();
    }

    private static final int SPINS = 20;
    /** A shorter sleep costs more processor time, some 20 microseconds to fall asleep and to wake, than it saves. */
    private static final long LEAST_PARK_NS = 25_000;

    private static final long GREATEST_PARK_NS = 10_000_000;
    /** What is expected is noticed late by at most this share of the time that it took. */
    private static final int SHARE_WHEN_EXPECTED = 50;

    private static final int SHARE_OTHERWISE = 8;

    private final NanoClock clock;
    private final Expectation expectation;
    private volatile @Nullable Thread owner;
    private volatile boolean parked;
    private volatile boolean woken;
    private long idleSinceNs;
    private int spins;

    ConductorIdle(NanoClock clock, Expectation expectation) {
        this.clock = clock;
        this.expectation = expectation;
    }

    /** Tells whether the conductor sleeps now. */
    boolean isAsleep() {
        return parked;
    }

    /** Ends a sleep, also one that is about to begin. */
    public void wake() {
        if (!woken) {
            woken = true;
            if (parked) {
                LockSupport.unpark(owner);
            }
        }
    }

    @Override
    public void idle(int workCount) {
        idle(workCount, GREATEST_PARK_NS);
    }

    @Override
    public void idle() {
        idle(0, GREATEST_PARK_NS);
    }

    /** Waits as {@link #idle(int)} does, but not longer than this. */
    void idle(int workCount, long limitNs) {
        if (workCount > 0) {
            reset();
            return;
        }
        if (spins < SPINS) {
            if (spins++ == 0) {
                idleSinceNs = clock.nanoTime();
            }
            Thread.onSpinWait();
            return;
        }
        owner = Thread.currentThread();
        parked = true;
        if (!woken) {
            LockSupport.parkNanos(this, Math.min(limitNs, sleepNs(clock.nanoTime() - idleSinceNs)));
        }
        parked = false;
        if (woken) {
            woken = false;
            reset();
        }
    }

    private long sleepNs(long silentNs) {
        int share = expectation.isFrameExpected() ? SHARE_WHEN_EXPECTED : SHARE_OTHERWISE;
        return Math.min(GREATEST_PARK_NS, Math.max(LEAST_PARK_NS, silentNs / share));
    }

    @Override
    public void reset() {
        spins = 0;
    }

    @Override
    public String alias() {
        return "fiber-conductor";
    }
}
