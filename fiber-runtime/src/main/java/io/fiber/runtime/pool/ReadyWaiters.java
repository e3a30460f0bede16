// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.runtime.pool.scheduling.PoolMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The callers that wait until every worker of a pool is up. Belongs to the conductor. */
final class ReadyWaiters {

    private final String pool;
    private final List<CompletableFuture<@Nullable Void>> waiters = new ArrayList<>();

    ReadyWaiters(String pool) {
        this.pool = pool;
    }

    void add(CompletableFuture<@Nullable Void> waiter) {
        if (!waiters.isEmpty()) {
            waiters.removeIf(CompletableFuture::isDone);
        }
        waiters.add(waiter);
    }

    /** Answers when all workers are up, or never will be. */
    void answer(PoolMachine machine) {
        if (waiters.isEmpty()) {
            return;
        }
        boolean isOver = machine.state().compareTo(PoolState.TERMINATING) >= 0;
        if (machine.areAllUp() && !isOver) {
            waiters.forEach(waiter -> waiter.complete(null));
            waiters.clear();
        } else if (machine.state() != PoolState.RUNNING) {
            fail(machine.cause().orElseGet(() -> new PoolClosedException(pool, machine.state())));
        } else {
            machine.shortage().ifPresent(this::fail);
        }
    }

    void fail(FiberException cause) {
        waiters.forEach(waiter -> waiter.completeExceptionally(cause));
        waiters.clear();
    }
}
