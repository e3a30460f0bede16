// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/**
 * How a thread polls transports that cannot signal what arrives. If the silence before was short, it polls for a moment
 * without a pause. Otherwise it sleeps between two polls, longer as the silence grows. It never yields: on a machine with
 * more threads than processors, a thread that yields is put behind all others for milliseconds. Belongs to one thread.
 */
final class Backoff {

    /** A process that polls as well answers in less. Measured as time, because a poll is slow until it is compiled. */
    private static final long POLLED_NS = 200_000;
    /** Ten times the least sleep, so that processes that answer each other in turn, each after such a sleep, stop sleeping. */
    private static final long SHORT_NS = 1_000_000;
    /**
     * Polls take the processor from tasks. With 50 us and a share of 8, a thousand rounds of tasks of 1 ms in five fresh
     * processes on two processors take a third longer.
     */
    private static final long LEAST_NS = 100_000;

    private static final int SHARE = 4;
    /** A quarter of a long silence would be felt: from a millisecond on, the sleep is a smaller share. */
    private static final long LONG_NS = 1_000_000;

    private static final int SHARE_WHEN_LONG = 50;
    private static final long GREATEST_NS = 10_000_000;

    private boolean isSilent;
    private boolean wasShort = true;
    private long silentSinceNs;

    /** A poll has found something. */
    void found(long nowNs) {
        isSilent = false;
        wasShort = nowNs - silentSinceNs < SHORT_NS;
    }

    /** Returns how long to sleep before the next poll; 0 if it should follow at once. */
    long sleepNs(long nowNs) {
        if (!isSilent) {
            isSilent = true;
            silentSinceNs = nowNs;
            return 0;
        }
        long silentNs = nowNs - silentSinceNs;
        if (wasShort && silentNs < POLLED_NS) {
            return 0;
        }
        long longestNs = Math.min(GREATEST_NS, Math.max(LONG_NS, silentNs / SHARE_WHEN_LONG));
        return Math.min(longestNs, Math.max(LEAST_NS, silentNs / SHARE));
    }
}
