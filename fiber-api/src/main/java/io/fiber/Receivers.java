// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;

/**
 * Implements {@link Receiver#awaitAny}. It checks all receivers, then waits a moment for one of them, each in turn. The
 * wait grows with the idle time, between 0.1 ms and 5 ms, so that the relative delay of a message stays at 1/50.
 */
final class Receivers {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final long LEAST_PAUSE_NS = 100_000;
    private static final long GREATEST_PAUSE_NS = 5_000_000;
    private static final int SHARE = 50;

    private Receivers() {}

    static <R extends Receiver<?>> List<R> awaitAny(List<R> receivers, Duration timeout) {
        long limitNs = timeout.isNegative() ? 0 : (timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toNanos();
        long beganNs = System.nanoTime();
        for (int turn = 0; ; turn = (turn + 1) % receivers.size()) {
            List<R> ready = receivers.stream()
                    .filter(receiver -> receiver.poll(Duration.ZERO))
                    .toList();
            long silentNs = System.nanoTime() - beganNs;
            if (!ready.isEmpty() || receivers.isEmpty() || silentNs >= limitNs) {
                return ready;
            }
            long pauseNs = Math.min(GREATEST_PAUSE_NS, Math.max(LEAST_PAUSE_NS, silentNs / SHARE));
            receivers.get(turn).poll(Duration.ofNanos(Math.min(limitNs - silentNs, pauseNs)));
        }
    }
}
