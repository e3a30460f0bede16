// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.tck.fault.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master that is stopped for longer than all time-outs of its transport: 6 s, where they are 4 s with a lease of 2 s. */
@Tag("slow")
class StoppedMasterTest {

    private static final int ITEMS = 600;
    private static final Duration STOP = Duration.ofSeconds(6);
    private static final Duration LONG_STOP = Duration.ofSeconds(45);

    @TempDir
    Path tmp;

    @Test
    void masterThatWasStoppedForLongerThanEveryTimeoutGoesOnWithOtherWorkers() {
        assertGoesOn(STOP, "2s");
    }

    /** The time-outs are 40 s then, and the lease 20 s. */
    @Test
    @Tag("soak")
    void masterThatWasStoppedFor45SecondsAtTheDefaultSettingsGoesOnWithOtherWorkers() {
        assertGoesOn(LONG_STOP);
    }

    private void assertGoesOn(Duration stop, String... lease) {
        try (MasterJvm master = new MasterJvm(tmp, Program.class, List.of("-Xmx64m"), lease)) {
            master.awaitLine("ready");
            Signal.STOP.send(master.pid());
            long stoppedNs = System.nanoTime();
            await("a stop longer than the time-outs")
                    .atMost(stop.plusMinutes(1))
                    .until(() -> System.nanoTime() - stoppedNs > stop.toNanos());
            Signal.CONTINUE.send(master.pid());

            assertThat(master.awaitLine("sum")).isEqualTo(Integer.toString(ITEMS * (ITEMS - 1)));
            assertThat(Integer.parseInt(master.awaitLine("lost"))).isPositive();
            assertThat(master.awaitLine("again")).isEqualTo("[0, 2, 4]");
            master.awaitEnd();
        }
    }

    /** Maps for about six seconds, then once more. */
    static final class Program {

        private Program() {}

        static int slowly(int item) throws InterruptedException {
            LocalFiber.last(Duration.ofMillis(20));
            return 2 * item;
        }

        public static void main(String[] args) {
            FiberBuilder builder = Fiber.builder();
            if (args.length > 0) {
                // With a short lease a busy machine may end workers that do well; the sum is to be right all the same.
                builder.set("fiber.lease", args[0])
                        .set("fiber.max-reruns", "100")
                        .set("fiber.max-start-failures", "100");
            }
            try (Fiber fiber = builder.open();
                    Pool pool = fiber.pool(2)) {
                pool.map(Program::slowly, IntStream.range(0, 4));
                System.out.println("ready");
                int sum = 0;
                for (int doubled : pool.map(Program::slowly, IntStream.range(0, ITEMS))) {
                    sum += doubled;
                }
                System.out.println("sum " + sum);
                System.out.println("lost " + pool.statistics().workersLost());
                System.out.println("again " + pool.map(Program::slowly, IntStream.range(0, 3)));
            }
        }
    }
}
