// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.eventloop.TimerSlack;
import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for the other end of a link: it looks for a while, then it naps between looks for a small share of
 * the time that nothing has happened. So it is quick when the other end is quick and after a pause, and costs next to
 * nothing after a long one. A parked thread would cost a wake-up, which takes longer than most answers; and no thread
 * could wake it, because no conductor sees what arrives. Belongs to one thread at a time.
 */
public final class LinkWait {

    private static final long LOOKING_NS = 50_000;
    private static final long LEAST_NAP_NS = 20_000;
    private static final long GREATEST_NAP_NS = 5_000_000;

    /** What comes after a pause is noticed late by half of this share of the pause, on average. */
    private static final int SHARE = 1_000;

    private static final int LOOKS_BETWEEN_CLOCKS = 32;

    private long sinceNs;
    private int looks;
    private boolean napping;

    /** Something has happened: looks often again. */
    public void reset() {
        looks = 0;
        napping = false;
    }

    /** Waits a little; returns early when the thread is interrupted, and leaves the flag set. */
    public void idle() {
        if (!napping && !isTimeToNap()) {
            Thread.onSpinWait();
            return;
        }
        long silentNs = System.nanoTime() - sinceNs;
        LockSupport.parkNanos(this, Math.min(GREATEST_NAP_NS, Math.max(LEAST_NAP_NS, silentNs / SHARE)));
    }

    private boolean isTimeToNap() {
        if (looks++ == 0) {
            sinceNs = System.nanoTime();
        } else if (looks % LOOKS_BETWEEN_CLOCKS == 0 && System.nanoTime() - sinceNs > LOOKING_NS) {
            TimerSlack.makeSmall();
            napping = true;
        }
        return napping;
    }
}
