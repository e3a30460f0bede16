// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Something was submitted to a pool that takes nothing any more (FBR-404): it was shut down, closed or terminated.
 */
public final class PoolClosedException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final PoolState state;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param pool the pool's name
     * @param state what the pool is in
     */
    public PoolClosedException(String pool, PoolState state) {
        super(
                "FBR-404",
                "Pool '" + pool + "' is " + state
                        + " and takes no more tasks; expected RUNNING. Submit before shutdown(),"
                        + " close() or terminate(), or make another pool.");
        this.state = state;
    }

    /** Returns the state that the pool was in. */
    public PoolState state() {
        return state;
    }
}
