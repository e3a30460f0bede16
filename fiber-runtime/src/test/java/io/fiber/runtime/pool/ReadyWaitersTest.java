// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.runtime.pool.scheduling.PoolWorld;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadyWaitersTest {

    private final ReadyWaiters waiters = new ReadyWaiters("p");
    private final CompletableFuture<@Nullable Void> waiter = new CompletableFuture<>();

    @Test
    void whoWaitsIsAnsweredWhenEveryWorkerIsReady() {
        PoolWorld world = new PoolWorld(2).started();
        world.machine.onResize(3);
        waiters.add(waiter);
        waiters.answer(world.machine);
        assertThat(waiter).isNotDone();

        world.machine.onCycleEnd(1);
        world.machine.onWorkerReady(3, 2);
        waiters.answer(world.machine);
        assertThat(waiter).isCompleted();
    }

    @Test
    void whoWaitsForAPoolThatEndsIsTold() {
        PoolWorld world = new PoolWorld(2);
        waiters.add(waiter);
        world.machine.onTerminate();
        waiters.answer(world.machine);

        assertThat(waiter).isCompletedExceptionally();
        assertThat(waiter.handle((nothing, failure) -> failure).join()).isInstanceOf(FiberException.class);
    }

    @Test
    void whoWaitsForWorkersThatDoNotStartIsToldOnce() {
        FiberException shortage = new FiberException("FBR-411", "Workers are missing.");
        waiters.add(waiter);
        waiters.fail(shortage);
        CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
        waiters.add(later);

        assertThat(waiter.handle((nothing, failure) -> failure).join()).isSameAs(shortage);
        assertThat(later).isNotDone();
    }
}
