// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * The content of the page. Thread-safe.
 *
 * @param clock the time
 * @param watches the pools that are shown
 * @param recorder what the flight recorder has reported
 * @param calls the progress of long calls
 */
record PageState(Clock clock, List<PoolWatch> watches, Recorder recorder, LongCalls calls) {

    /**
     * Everything except the logs.
     *
     * @param nowMs the time of this process, in milliseconds since 1970
     * @param pools the pools that are shown
     * @param endings the last workers and processes that have ended, latest first
     */
    record Picture(long nowMs, List<PoolWatch.Picture> pools, List<Recorder.Ending> endings) {}

    Picture picture() {
        long nowMs = clock.millis();
        return new Picture(
                nowMs, watches.stream().map(watch -> watch.picture(this, nowMs)).toList(), recorder.endings());
    }

    /** Returns the last lines that the workers of a pool wrote; empty for a pool that is not shown. */
    Map<String, List<String>> logs(String pool) {
        return watches.stream()
                .filter(watch -> watch.pool().name().equals(pool))
                .findFirst()
                .map(PoolWatch::logs)
                .orElse(Map.of());
    }
}
