// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.BarrierBrokenException;
import io.fiber.FiberProcess;
import io.fiber.ManagedBarrier;
import io.fiber.ManagedEvent;
import io.fiber.ManagedList;
import io.fiber.ManagedSemaphore;
import io.fiber.RemoteTaskException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Semaphores, events and barriers. */
abstract class ManagedSynchronizersContract extends ManagerContract {

    @Test
    void permitsOfADeadProcessReturn() {
        ManagedSemaphore semaphore = manager().semaphore(3);
        FiberProcess dying = process(() -> {
            semaphore.acquire(2);
            die();
        });
        assertThat(dying.join()).isNotZero();
        assertThat(semaphore.tryAcquire(3, LIMIT)).isTrue();
        semaphore.release(3);
        assertThat(semaphore.availablePermits()).isEqualTo(3);
    }

    @Test
    void aBoundedSemaphoreRefusesWhatItNeverHad() {
        ManagedSemaphore semaphore = manager().boundedSemaphore(1);
        assertThatThrownBy(semaphore::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-432");
        assertThatThrownBy(() -> semaphore.acquire(2)).isInstanceOf(IllegalArgumentException.class);
        semaphore.acquire();
        assertThat(semaphore.tryAcquire()).isFalse();
        assertThat(semaphore.tryAcquire(1, SHORT)).isFalse();
        semaphore.release();
        assertThat(semaphore.availablePermits()).isEqualTo(1);
    }

    @Test
    void anEventLetsOtherProcessesGo() {
        ManagedEvent go = manager().event();
        ManagedList<String> seen = manager().list();
        assertThat(go.await(SHORT)).isFalse();
        CompletableFuture<Boolean> waiter = elsewhere(() -> {
            seen.add("waits");
            go.await();
            seen.add("went");
        });
        eventually("a process that waits", () -> !seen.isEmpty());
        assertThat(go.await(SHORT)).isFalse();
        assertThat(seen).containsExactly("waits");
        go.set();
        assertEndsWell(waiter);
        assertThat(seen).containsExactly("waits", "went");
        assertThat(go.isSet()).isTrue();
        go.clear();
        assertThat(go.isSet()).isFalse();
    }

    @Test
    void aBarrierIsPassedTogetherAndItsActionRunsOnceBefore() {
        ManagedList<String> actions = manager().list();
        ManagedBarrier barrier = manager().barrier(2, () -> actions.add("action"));
        CompletableFuture<Boolean> other = elsewhere(() -> {
            for (int round = 1; round <= 3; round++) {
                barrier.await();
                assertThat(actions.size()).isGreaterThanOrEqualTo(round);
            }
        });
        for (int round = 1; round <= 3; round++) {
            assertThat(barrier.await(LIMIT)).isBetween(0, 1);
        }
        assertEndsWell(other);
        assertThat(actions).containsExactly("action", "action", "action");
        assertThat(barrier.parties()).isEqualTo(2);
        assertThat(barrier.waiting()).isZero();
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // its process dies
    void aBarrierBreaksWithADeadWaiter() {
        ManagedBarrier barrier = manager().barrier(3);
        FiberProcess dying = process(() -> {
            inThread(barrier::await);
            eventually("two waiting threads", () -> barrier.waiting() == 2);
            die();
        });
        assertThatThrownBy(() -> barrier.await(LIMIT))
                .isInstanceOf(BarrierBrokenException.class)
                .hasMessageStartingWith("FBR-433");
        assertThat(dying.join()).isNotZero();
        assertThat(barrier.isBroken()).isTrue();
        assertThatThrownBy(barrier::await).isInstanceOf(BarrierBrokenException.class);
        barrier.reset();
        assertThat(barrier.isBroken()).isFalse();
    }

    @Test
    void whoWaitsTooLongBreaksTheBarrier() {
        ManagedBarrier barrier = manager().barrier(3);
        CompletableFuture<@Nullable Void> other =
                inThread(() -> assertThatThrownBy(barrier::await).isInstanceOf(BarrierBrokenException.class));
        eventually("a waiting thread", () -> barrier.waiting() == 1);
        assertThatThrownBy(() -> barrier.await(Duration.ofMillis(1)))
                .isInstanceOf(BarrierBrokenException.class)
                .hasMessageContaining("PT0.001S");
        other.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    void anActionThatThrowsBreaksTheBarrier() {
        ManagedBarrier barrier = manager().barrier(1, () -> {
            throw new IllegalStateException("no action today");
        });
        assertThatThrownBy(barrier::await)
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("no action today");
        assertThat(barrier.isBroken()).isTrue();
        barrier.reset();
        barrier.abort();
        assertThatThrownBy(barrier::await).isInstanceOf(BarrierBrokenException.class);
    }
}
