// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import java.util.concurrent.locks.LockSupport;

/**
 * How a thread waits for the other end of a link. It polls for a while, and then naps between polls for a small share
 * of the idle time. So it reacts quickly to a quick answer and after a pause, and costs almost nothing after a long
 * one. Parking the thread would cost a wake-up, which takes longer than most answers, and no thread could wake it,
 * because no conductor sees what arrives. Only one thread at a time may use it.
 */
public final class LinkWait {

    private static final long LOOKING_NS = 50_000;
    private static final long LEAST_NAP_NS = 20_000;
    private static final long GREATEST_NAP_NS = 5_000_000;

    /** A message after a pause is noticed late by half of this share of the pause, on average. */
    private static final int SHARE = 1_000;

    private static final int LOOKS_BETWEEN_CLOCKS = 32;

    private long sinceNs;
    private int looks;
    private boolean napping;

    /** Records activity, after which it polls often again. */
    public void reset() {
        looks = 0;
        napping = false;
    }

    /** Waits a little; returns early if the thread is interrupted, and leaves the flag set. */
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
            napping = true;
        }
        return napping;
    }
}
