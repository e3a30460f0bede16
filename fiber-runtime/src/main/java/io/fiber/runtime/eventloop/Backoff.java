// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/**
 * How a thread polls transports that cannot signal what arrives. It polls a few times more and then sleeps. The sleep
 * grows with the silence, so that what arrives is noticed late by a small share of the time that it took. It never
 * yields: on a machine with more threads than processors, a thread that yields is put behind all others for
 * milliseconds. Belongs to one thread.
 */
final class Backoff {

    /** The answer of another process takes some 20 us, less than to fall asleep and to wake. */
    private static final int SPINS = 100;
    /** A shorter sleep costs more processor time, to fall asleep and to wake, than it saves. */
    private static final long LEAST_NS = 50_000;

    private static final long GREATEST_NS = 10_000_000;
    private static final int SHARE = 50;

    private int spins;
    private long silentSinceNs;

    /** Something was done: it polls again at once. */
    void reset() {
        spins = 0;
    }

    /** Returns how long to sleep after a poll that found nothing; 0 if the next one should follow at once. */
    long sleepNs(long nowNs) {
        if (spins == 0) {
            silentSinceNs = nowNs;
        }
        if (spins < SPINS) {
            spins++;
            return 0;
        }
        return Math.min(GREATEST_NS, Math.max(LEAST_NS, (nowNs - silentSinceNs) / SHARE));
    }
}
