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
     * Creates an exception. The runtime does this.
     *
     * @param pool the pool's name
     * @param failedStarts how many starts failed in a row
     * @param workersUp how many workers are up; at least 1
     * @param cause why the last start failed
     */
    public WorkersMissingException(String pool, int failedStarts, int workersUp, ProcessStartException cause) {
        this(
                "The last " + failedStarts + " workers of pool '" + pool + "' did not start" + last(cause)
                        + goOn(workersUp) + ". Fiber keeps trying to start the missing ones, and waits longer each"
                        + " time.",
                cause,
                failedStarts,
                workersUp);
    }

    private WorkersMissingException(String message, ProcessStartException cause, int failedStarts, int workersUp) {
        super("FBR-407", message, cause);
        this.failedStarts = failedStarts;
        this.workersUp = workersUp;
    }

    /**
     * Returns an exception for a pool that does not start the missing workers again. The runtime calls this.
     *
     * @param pool the pool's name
     * @param failedStarts how many workers in a row were lost while they ran the initializer
     * @param workersUp how many workers are up; at least 1
     * @param cause how the last one was lost
     */
    public static WorkersMissingException byInitializer(
            String pool, int failedStarts, int workersUp, ProcessStartException cause) {
        return new WorkersMissingException(
                "The last " + failedStarts + " workers of pool '" + pool
                        + "' ended in the pool's initializer" + last(cause) + goOn(workersUp)
                        + ". The missing ones are not replaced until you call resize() or no worker is left. Correct"
                        + " the initializer.",
                cause,
                failedStarts,
                workersUp);
    }

    private static String last(ProcessStartException cause) {
        return "; the last one, " + cause.summary() + cause.output() + "\n";
    }

    private static String goOn(int workersUp) {
        return workersUp == 1 ? "The one running worker continues" : "The " + workersUp + " running workers continue";
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
