// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** A {@link ManagedBarrier} was broken before all had come (FBR-433), or had been broken before. */
public final class BarrierBrokenException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param reason why, in words
     */
    public BarrierBrokenException(String reason) {
        super("FBR-433", "The barrier is broken: " + reason + " To use it again, call reset().");
    }
}
