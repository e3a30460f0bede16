// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalFiber.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.ManagedLock;
import io.fiber.Manager;
import io.fiber.tck.fault.Signal;
import org.junit.jupiter.api.Test;

/** Processes that are killed in the midst of what a manager hosts. */
@SuppressWarnings("LockNotBeforeTry") // single steps are what is tested
class ManagerDeathsTest {

    @Test
    void aLockWhoseHolderIsKilledGoesToTheNextWhoLearnsOfIt() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager()) {
            ManagedLock lock = manager.lock();
            FiberQueue<Long> holders = manager.queue();
            FiberProcess holder = fiber.process(() -> {
                lock.lock();
                holders.put(LocalFiber.pid());
                LocalFiber.last(LIMIT);
            });
            long holderPid = holders.take();
            FiberProcess next = fiber.process(() -> {
                lock.lock();
                holders.put(lock.wasAbandoned() ? lock.epoch() : 0);
                lock.unlock();
            });
            Signal.KILL.send(holderPid);
            assertThat(holders.take()).isEqualTo(2);
            assertThat(next.join()).isZero();
            assertThat(holder.join()).isEqualTo(137);
            assertThat(lock.tryLock()).isTrue();
            assertThat(lock.wasAbandoned()).isFalse();
        }
    }

    @Test
    void whoWaitsIsToldWhenTheManagerIsKilled() {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager();
                Manager other = fiber.manager()) {
            ManagedLock lock = manager.lock();
            FiberQueue<String> told = other.queue();
            lock.lock();
            FiberProcess waiting = fiber.process(() -> {
                told.put("waits");
                try {
                    lock.lock();
                } catch (FiberException e) {
                    told.put(e.code());
                }
            });
            assertThat(told.take()).isEqualTo("waits");
            Signal.KILL.send(Long.parseLong(manager.process().id().orElseThrow()));
            assertThat(told.take()).isEqualTo("FBR-400");
            assertThat(waiting.join()).isZero();
            assertThatThrownBy(lock::unlock).isInstanceOf(FiberException.class).hasMessageStartingWith("FBR-400");
        }
    }
}
