// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.conductor;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * How the conductor waits when nothing happened: it yields for a few milliseconds after the last event, because the answer
 * to what was sent just now comes soon; then it sleeps, longer and longer, up to a length that costs nothing. A command of
 * another thread ends the sleep at once; a frame from a peer is found at its end.
 */
public final class ConductorIdle implements IdleStrategy {

    private static final long YIELD_NS = 1_500_000;
    private static final long FIRST_PARK_NS = 50_000;
    private static final long GREATEST_PARK_NS = 8_000_000;
    /** Sleeping this share of the time that nothing happened keeps what is missed small against what was waited for. */
    private static final int PARK_SHARE = 100;

    private final NanoClock clock;
    private volatile @Nullable Thread owner;
    private volatile boolean parked;
    private volatile boolean woken;
    private long idleSinceNs;
    private boolean busy = true;

    ConductorIdle(NanoClock clock) {
        this.clock = clock;
    }

    void owner(Thread thread) {
        owner = thread;
    }

    /** Ends a sleep, also one that is about to begin. */
    void wake() {
        woken = true;
        if (parked) {
            LockSupport.unpark(owner);
        }
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what lets tasks run while an answer is expected
    public void idle() {
        long nowNs = clock.nanoTime();
        if (busy) {
            busy = false;
            idleSinceNs = nowNs;
        }
        long silentNs = nowNs - idleSinceNs;
        if (silentNs < YIELD_NS) {
            Thread.yield();
            return;
        }
        parked = true;
        if (!woken) {
            LockSupport.parkNanos(Math.min(GREATEST_PARK_NS, Math.max(FIRST_PARK_NS, silentNs / PARK_SHARE)));
        }
        parked = false;
        if (woken) {
            woken = false;
            busy = true;
        }
    }

    @Override
    public void reset() {
        busy = true;
    }

    @Override
    public String alias() {
        return "fiber-conductor";
    }
}
