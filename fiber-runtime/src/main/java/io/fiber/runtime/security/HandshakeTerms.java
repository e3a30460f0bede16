// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Protocol;

/**
 * What both ends must agree on without having talked; it is proven together with the key, so that a difference fails the
 * handshake.
 *
 * @param protocolVersion the version this end speaks
 * @param exposure whether others can reach the link, as this end sees it
 */
public record HandshakeTerms(int protocolVersion, String sessionId, Exposure exposure) {

    /** Which hosts and users can reach a link. */
    public enum Exposure {
        /** Only this user on this host; frames may travel unsealed. */
        CONFINED,
        /** Every host on the network. */
        OPEN
    }

    /** Returns the terms of this version for a link of a session. */
    public static HandshakeTerms of(String sessionId, boolean isConfined) {
        return new HandshakeTerms(Protocol.VERSION, sessionId, isConfined ? Exposure.CONFINED : Exposure.OPEN);
    }
}
