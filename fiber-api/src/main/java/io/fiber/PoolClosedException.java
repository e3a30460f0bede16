// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Thrown on a submission to a pool that was shut down, closed or terminated (FBR-404). */
public final class PoolClosedException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final PoolState state;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param pool the pool's name
     * @param state the pool's state
     */
    public PoolClosedException(String pool, PoolState state) {
        super(
                "FBR-404",
                "Pool '" + pool + "' is " + state
                        + " and takes no more tasks; expected RUNNING. Submit before shutdown(),"
                        + " close() or shutdownNow(), or make another pool.");
        this.state = state;
    }

    /** Returns the state of the pool at the time. */
    public PoolState state() {
        return state;
    }
}
