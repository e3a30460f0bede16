// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of a call: cancelling it reaches the workers. Thread-safe. */
final class CallFuture<R extends @Nullable Object> extends CompletableFuture<R> {

    private volatile @Nullable Runnable canceller;

    /** Sets what a cancel does beyond this future. */
    void onCancel(Runnable action) {
        canceller = action;
        if (isCancelled()) {
            action.run();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Runnable action = canceller;
        if (cancelled && action != null) {
            action.run();
        }
        return cancelled;
    }
}
