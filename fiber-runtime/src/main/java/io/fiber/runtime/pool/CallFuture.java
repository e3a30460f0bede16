// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.protocol.Messages.Running;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The future of a call: cancelling it cancels the call, too. Thread-safe. */
class CallFuture<R extends @Nullable Object> extends CompletableFuture<R> {

    private volatile @Nullable Consumer<Running> canceller;
    private volatile Running running = Running.INTERRUPTED;

    /** Sets what a cancel does beyond this future; it is told what becomes of tasks that run. */
    void onCancel(Consumer<Running> action) {
        canceller = action;
        if (isCancelled()) {
            action.accept(running);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        running = mayInterruptIfRunning ? Running.INTERRUPTED : Running.LEFT;
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Consumer<Running> action = canceller;
        if (cancelled && action != null) {
            action.accept(running);
        }
        return cancelled;
    }
}
