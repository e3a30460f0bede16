// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** The state of a link. */
public enum LinkState {
    /** The peer has not arrived yet; offers return {@link OfferResult#NOT_CONNECTED}. */
    CONNECTING,
    /**
     * The peer has arrived. The link stays in this state during short interruptions, in which offers return {@link
     * OfferResult#NOT_CONNECTED} or {@link OfferResult#BACK_PRESSURED}.
     */
    CONNECTED,
    /** Either end closed the link, or the peer is gone. Final: a link is never resumed; a peer dials again. */
    CLOSED
}
