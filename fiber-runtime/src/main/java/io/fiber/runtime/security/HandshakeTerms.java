// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Protocol;

/**
 * What both ends must agree on without having talked; it is proven together with the key, so that a difference fails the
 * handshake.
 *
 * @param protocolVersion the version this end speaks
 * @param jobNumber the job, or invitation, that the link is for
 * @param isConfined whether only this user on this host can reach the link, as this end sees it
 */
public record HandshakeTerms(int protocolVersion, String sessionId, long jobNumber, boolean isConfined) {

    /** Returns the terms of this version for a link of a session. */
    public static HandshakeTerms of(String sessionId, long jobNumber, boolean isConfined) {
        return new HandshakeTerms(Protocol.VERSION, sessionId, jobNumber, isConfined);
    }
}
