// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OwnDriverClockTest {

    private final AtomicLong ns = new AtomicLong();

    private final OwnDriverClock clock =
            new OwnDriverClock(() -> TimeUnit.NANOSECONDS.toMillis(ns.get()) + 1_000_000, ns::get);

    @Test
    void stopCountsAsOneSecondOfService() {
        long before = clock.nanoTime();

        ns.addAndGet(TimeUnit.MILLISECONDS.toNanos(900));
        assertThat(clock.nanoTime() - before).isEqualTo(TimeUnit.MILLISECONDS.toNanos(900));
        ns.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(clock.nanoTime() - before).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_900));
        ns.incrementAndGet();
        assertThat(clock.nanoTime() - before).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_900) + 1);
    }

    @Test
    void timeOfHeartbeatsIsThatOfTheOtherProcesses() {
        long before = clock.time();

        ns.addAndGet(TimeUnit.HOURS.toNanos(1));

        assertThat(clock.time() - before).isEqualTo(TimeUnit.HOURS.toMillis(1));
    }
}
