// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** Where a link stands. */
public enum LinkState {
    /** The peer has not arrived yet; offers answer {@link OfferResult#NOT_CONNECTED}. */
    CONNECTING,
    /**
     * The peer has arrived. The link stays in this state through short interruptions, in which offers answer
     * {@link OfferResult#NOT_CONNECTED} or {@link OfferResult#BACK_PRESSURED}.
     */
    CONNECTED,
    /** Over: closed by either end, or the peer is gone. Final: a link is never resumed, a peer dials anew. */
    CLOSED
}
