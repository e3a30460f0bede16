// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Too many workers of a pool failed to start in a row, and the pool goes on with those that are up (FBR-407): not all of them
 * can be waited for. The missing ones are started again.
 */
public final class WorkersMissingException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int failedStarts;
    private final int workersUp;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param pool the pool's name
     * @param failedStarts how many starts failed in a row
     * @param workersUp how many workers are up; at least 1
     * @param cause why the last start failed
     */
    public WorkersMissingException(String pool, int failedStarts, int workersUp, ProcessStartException cause) {
        super(
                "FBR-407",
                "The last " + failedStarts + " workers of pool '" + pool
                        + "' to be started failed; the last one, " + cause.summary() + cause.output() + "\n"
                        + (workersUp == 1 ? "The one that is up goes on" : "The " + workersUp + " that are up go on")
                        + "; the missing ones are started again, each time after a longer wait.",
                cause);
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
