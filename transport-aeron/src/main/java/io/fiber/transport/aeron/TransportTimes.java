// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Aeron's timeouts. All of them are derived from the lease, so that the lease decides which peer is dead; the package's
 * documentation has the table.
 *
 * @param livenessNs how long a driver, a client or an image may be silent
 * @param unblockNs when to skip a half-written frame of a dead publisher; Aeron requires more than the liveness timeout
 * @param dialNs how long a dialled link waits for the peer that invited
 */
record TransportTimes(long livenessNs, long unblockNs, long dialNs) {

    /** How long a link whose peer has gone stays open for frames that have arrived and were not read. */
    static final long GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    /** How long this process waits for an answer of its own driver, which it drives itself. */
    static final long OWN_DRIVER_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long SHORTEST_LIVENESS_NS = TimeUnit.SECONDS.toNanos(4);

    static TransportTimes of(Duration lease) {
        long livenessNs = Math.max(2 * lease.toNanos(), SHORTEST_LIVENESS_NS);
        return new TransportTimes(livenessNs, livenessNs + livenessNs / 2, livenessNs);
    }

    long livenessMs() {
        return TimeUnit.NANOSECONDS.toMillis(livenessNs);
    }
}
