// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/**
 * The clock by which drivers and clients of one host tell each other that they live. Aeron's own is the wall clock: when
 * that is set forward by more than a time-out, or a host wakes up, each takes the other for dead. This one goes on at its
 * pace, and is the same for all processes of a host, because {@link System#nanoTime} is read there from one clock.
 */
enum SteadyClock implements EpochClock {
    INSTANCE;

    /** Keeps the time above zero, which Aeron takes for none, wherever a clock begins. */
    private static final long BEGIN_MS = 1L << 44;

    @Override
    public long time() {
        return BEGIN_MS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
