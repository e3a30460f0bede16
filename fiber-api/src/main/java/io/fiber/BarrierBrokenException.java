// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Thrown if a {@link ManagedBarrier} is broken, or breaks before all parties have arrived (FBR-433). */
public final class BarrierBrokenException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param reason why the barrier is broken, as a sentence
     */
    public BarrierBrokenException(String reason) {
        super("FBR-433", "The barrier is broken: " + reason + " To use it again, call reset().");
    }
}
