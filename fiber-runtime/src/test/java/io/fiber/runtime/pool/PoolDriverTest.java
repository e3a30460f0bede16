// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolState;
import io.fiber.runtime.eventloop.Conductor;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class PoolDriverTest {

    private final PoolDriver driver = new PoolDriver(
            new PoolDriver.Staff(
                    "p",
                    "w",
                    WorkerlessPool.needs(),
                    Optional.empty(),
                    Optional.empty(),
                    (worker, failure, then) -> {}),
            new PoolLimits(1, 1, OptionalInt.empty(), 3, 100, 800, Integer.MAX_VALUE),
            WorkerlessPool.supervisor(new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20))));

    @Test
    void endThatFailsHalfwayLeavesNoCloseWaiting() {
        driver.machine()
                .onCall(new Call(
                        FixedCalls.function(1),
                        FixedCalls.ints(0, 1),
                        new Call.Limits(1, 1, 0, RetryLimits.NONE),
                        new BrokenOnly(cause -> {
                            throw new NoClassDefFoundError("a class that had no memory to be initialized");
                        })));

        assertThatThrownBy(() -> driver.onFault(new OutOfMemoryError("Java heap space")))
                .isInstanceOf(NoClassDefFoundError.class);

        assertThat(driver.terminated()).isCompleted();
        assertThat(driver.state()).isEqualTo(PoolState.TERMINATED);
    }
}
