// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Checks that something takes little time. The best of several attempts counts, because a busy machine may stop a
 * thread for seconds.
 */
public final class Promptness {

    private static final int TRIES = 3;

    private Promptness() {}

    /**
     * Checks that something takes less than a limit.
     *
     * @param what what the time is, for the reader of a failure
     * @param tried does it, each time with a new subject, and returns the time that it took
     */
    public static void check(String what, Duration limit, Supplier<Duration> tried) {
        assertThat(best(limit, tried)).as(what).isLessThan(limit);
    }

    /** Tries, up to a number of times, until it takes less than a limit, and returns the time of the last attempt. */
    public static Duration best(Duration limit, Supplier<Duration> tried) {
        Duration time = tried.get();
        for (int i = 1; i < TRIES && time.compareTo(limit) >= 0; i++) {
            time = tried.get();
        }
        return time;
    }

    /** Runs the action, and returns the time that it took. */
    public static Duration timeOf(Runnable action) {
        long beforeNs = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - beforeNs);
    }
}
