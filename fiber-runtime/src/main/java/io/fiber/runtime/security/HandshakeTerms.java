// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Protocol;

/**
 * What both ends must agree on without having communicated. It is authenticated together with the key, so a difference
 * makes the handshake fail.
 *
 * @param protocolVersion the version of this end
 * @param number number of the worker, or of the invitation, for which the link is
 * @param isConfined whether only this user on this host can reach the link, as this end sees it
 */
public record HandshakeTerms(int protocolVersion, String sessionId, long number, boolean isConfined) {

    /** Returns the terms of this version for a link of a session. */
    public static HandshakeTerms of(String sessionId, long number, boolean isConfined) {
        return new HandshakeTerms(Protocol.VERSION, sessionId, number, isConfined);
    }
}
