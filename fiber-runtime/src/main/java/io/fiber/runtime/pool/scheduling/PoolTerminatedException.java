// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import java.util.concurrent.CancellationException;

/** What calls are broken with when their pool is terminated; callers see it as a {@link CancellationException}. */
public final class PoolTerminatedException extends FiberException {
    private static final long serialVersionUID = 1L;

    PoolTerminatedException(String pool) {
        super("FBR-404", "Pool '" + pool + "' was terminated before its tasks were done.");
    }

    /** Returns what the caller is thrown. */
    public CancellationException asCancellation() {
        CancellationException cancellation = new CancellationException(getMessage());
        cancellation.initCause(this);
        return cancellation;
    }
}
