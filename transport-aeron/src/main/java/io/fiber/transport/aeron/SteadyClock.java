// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/**
 * The clock by which drivers and clients of one host show each other that they are alive. Aeron's own is the wall
 * clock. If that is set forward by more than a timeout, or if a host wakes up, each considers the other dead. This
 * clock advances steadily. It is the same for all processes of a host, because they read {@link System#nanoTime} from
 * one clock.
 */
enum SteadyClock implements EpochClock {
    INSTANCE;

    /** Keeps the time above zero, which Aeron interprets as no time, wherever a clock begins. */
    private static final long BEGIN_MS = 1L << 44;

    @Override
    public long time() {
        return BEGIN_MS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
