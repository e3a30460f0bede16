// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

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
        return half == 0 ? pauseNs : pauseNs - Math.floorMod(mixed(31 * index + failures), half + 1);
    }

    /** Spreads the bits of a number, as SplitMix64 does. */
    private static long mixed(long number) {
        long spread = number * 0x9E3779B97F4A7C15L;
        spread = (spread ^ (spread >>> 30)) * 0xBF58476D1CE4E5B9L;
        spread = (spread ^ (spread >>> 27)) * 0x94D049BB133111EBL;
        return spread ^ (spread >>> 31);
    }
}
