// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown in a ring's member if a neighbour that it waits for or sends to has ended or closed its end (FBR-461). The
 * caller of the ring gets the cause of the neighbour's end instead, if there is one.
 */
public final class PeerLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int rank;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param rank of the neighbour
     * @param member the member that has lost it, for example {@code rank 1 of ring 'ring-1'}
     * @param cause what is known about the loss
     */
    public PeerLostException(int rank, String member, FiberException cause) {
        super(
                "FBR-461",
                "Rank " + rank + ", a neighbour of " + member + ", is gone or has closed its end: "
                        + cause.getMessage(),
                cause);
        this.rank = rank;
    }

    /** Returns the neighbour's rank. */
    public int rank() {
        return rank;
    }
}
