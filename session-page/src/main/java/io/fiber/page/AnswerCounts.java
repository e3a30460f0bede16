// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import java.util.ArrayList;
import java.util.List;

/** Counts how many tasks were answered in each of the last seconds. Not thread-safe. */
final class AnswerCounts {

    static final int SECONDS = 300;

    private final int[] counts = new int[SECONDS];
    /** The second after the last one that is counted, since 1970. */
    private long endS;

    /** Adds tasks that were answered in a second. Seconds before the oldest one kept are ignored. */
    void add(long second, int tasks) {
        advance(second + 1);
        if (second >= endS - SECONDS) {
            counts[index(second)] += tasks;
        }
    }

    /** Returns the counts of the {@value SECONDS} seconds before {@code second}, oldest first. */
    List<Integer> until(long second) {
        advance(second);
        List<Integer> latest = new ArrayList<>();
        for (int i = 0; i < SECONDS; i++) {
            long counted = second - SECONDS + i;
            latest.add(counted >= endS - SECONDS ? counts[index(counted)] : 0);
        }
        return latest;
    }

    private void advance(long newEndS) {
        for (long second = Math.max(endS, newEndS - SECONDS); second < newEndS; second++) {
            counts[index(second)] = 0;
        }
        endS = Math.max(endS, newEndS);
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) SECONDS);
    }
}
