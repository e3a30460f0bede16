// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.SplittableRandom;

/**
 * How items of a call that throw are tried again.
 *
 * @param times how often; 0 for never
 * @param firstPauseNs how long after its first failure an item may be handed out again; doubles with each
 * @param greatestPauseNs what it does not grow beyond
 */
public record RetryLimits(int times, long firstPauseNs, long greatestPauseNs) {

    /** Nothing is tried again. */
    public static final RetryLimits NONE = new RetryLimits(0, 0, 0);

    private static final int GREATEST_DOUBLINGS = 40;
    /** Some 73 years: twice that can still be added to a time. */
    private static final long GREATEST_PAUSE_NS = 1L << 61;

    /** Makes a limit that is too great for sums of times the greatest that is not. */
    public RetryLimits {
        greatestPauseNs = Math.min(greatestPauseNs, GREATEST_PAUSE_NS);
    }

    /**
     * Returns the pause after a failure. It is shortened by up to a half, so that items which failed together do not come
     * back together; by how much depends on the item and the failure alone.
     *
     * @param failures how often the item has failed; at least 1
     */
    long pauseNs(long index, int failures) {
        long doubled = firstPauseNs;
        for (int i = 1; i < Math.min(failures, GREATEST_DOUBLINGS) && doubled < greatestPauseNs; i++) {
            doubled *= 2;
        }
        long pauseNs = Math.min(doubled, greatestPauseNs);
        long half = pauseNs / 2;
        return pauseNs - new SplittableRandom(31 * index + failures).nextLong(half + 1);
    }
}
