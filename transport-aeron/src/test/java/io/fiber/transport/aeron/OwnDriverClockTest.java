// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** The driver beats once, and no more before the client is there, which gives up at last if it has never beaten. */
    @Test
    void timeOfHeartbeatsGoesOnBySecondsUntilThereIsAClient() {
        long before = clock.time();

        ns.addAndGet(TimeUnit.HOURS.toNanos(1));

        assertThat(clock.time() - before).isEqualTo(1_000);
        ns.addAndGet(TimeUnit.MILLISECONDS.toNanos(900));
        assertThat(clock.time() - before).isEqualTo(1_900);
    }

    /** Its driver may ask for the time while it closes, after the client has unmapped its memory. */
    @Test
    void heartbeatsOfAClosedClientAreNotWritten(@TempDir Path directory) {
        String name = directory.resolve("driver").toString();
        try (MediaDriver driver = MediaDriver.launch(
                new MediaDriver.Context().aeronDirectoryName(name).threadingMode(ThreadingMode.INVOKER))) {
            Aeron client = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(name)
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker()));
            clock.attach(client);
            client.close();
            long before = clock.time();

            ns.addAndGet(TimeUnit.HOURS.toNanos(1));

            assertThat(clock.time() - before).isEqualTo(TimeUnit.HOURS.toMillis(1));
        }
    }
}
