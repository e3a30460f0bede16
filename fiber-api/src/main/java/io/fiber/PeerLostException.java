// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A neighbour in a ring, which the member waited for or sent something to, has ended or closed its end (FBR-461). The caller
 * of the ring gets the cause of the neighbour's end instead, if it has one.
 */
public final class PeerLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int rank;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param rank of the neighbour
     * @param member who has lost it, for example {@code rank 1 of ring 'ring-1'}
     * @param cause says what is known of it
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
