// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolClosedException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a pool answers at once. */
class PoolClientTest {

    /** The conductor is kept from answering until the caller waits for it, or has an answer without it. */
    @Test
    void awaitReadyThatDoesNotWaitKnowsThatAllWorkersAreUp() throws Exception {
        try (WorkerlessPool pool = new WorkerlessPool().started()) {
            Thread caller = Thread.currentThread();
            AtomicBoolean answered = new AtomicBoolean();
            CountDownLatch busy = new CountDownLatch(1);
            pool.conductor.execute(() -> {
                busy.countDown();
                while (caller.getState() != Thread.State.WAITING && !answered.get()) {
                    Thread.onSpinWait();
                }
            });
            busy.await();
            while (caller.getState() == Thread.State.WAITING) {
                Thread.onSpinWait();
            }

            boolean ready = pool.client.awaitReady(Duration.ZERO);
            answered.set(true);

            assertThat(ready).isTrue();
            assertThat(pool.client.awaitReady(Duration.ofSeconds(-1))).isTrue();
        }
    }

    @Test
    void awaitReadyThatDoesNotWaitKnowsThatWorkersAreMissing() {
        try (WorkerlessPool pool = new WorkerlessPool()) {
            pool.driver.machine.onResize(1);
            pool.started();
            assertThat(pool.client.awaitReady(Duration.ZERO)).isFalse();
        }
    }

    @Test
    void awaitReadyOfAPoolWithoutAConductorSaysSo() {
        try (WorkerlessPool pool = new WorkerlessPool()) {
            pool.conductor.onClose();

            assertThatThrownBy(() -> pool.client.awaitReady(Duration.ZERO)).isInstanceOf(PoolClosedException.class);
        }
    }
}
