// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown to callers that wait for all workers of a pool if too many in a row failed to start (FBR-407). The pool
 * continues with the workers that are up. The missing ones are started again, unless the initializer has ended each of
 * them.
 */
public final class WorkersMissingException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int failedStarts;
    private final int workersUp;

    /**
     * Creates an exception with code FBR-407.
     *
     * @param message what happened
     * @param failedStarts how many starts failed in a row
     * @param workersUp how many workers are up; at least 1
     * @param cause why the last start failed
     */
    public WorkersMissingException(String message, int failedStarts, int workersUp, ProcessStartException cause) {
        super("FBR-407", message, cause);
        this.failedStarts = failedStarts;
        this.workersUp = workersUp;
    }

    /** Returns how many starts failed in a row. */
    public int failedStarts() {
        return failedStarts;
    }

    /** Returns how many workers were up; at least 1. */
    public int workersUp() {
        return workersUp;
    }
}
