// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.ManagedLock;
import io.fiber.Manager;
import io.fiber.tck.fault.Signal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that are killed in the midst of what a manager hosts. */
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // single steps are what is tested
class ManagerDeathsTest {

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
