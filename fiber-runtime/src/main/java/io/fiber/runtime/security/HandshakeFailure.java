// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.util.OptionalInt;

/**
 * Why a handshake ended. Nothing is told to the peer, save the version when it is {@link Reason#VERSION}.
 *
 * @param reason what was wrong
 * @param ownVersion the version this end speaks
 * @param peerVersion the version the peer said it speaks; empty when it has said none
 */
public record HandshakeFailure(Reason reason, int ownVersion, OptionalInt peerVersion) {

    /** What was wrong. */
    public enum Reason {
        /** The two ends speak different versions of the protocol. */
        VERSION,
        /** The peer does not hold the key, or does not see the same handshake as this end. */
        BAD_PROOF,
        /** A field has a length it cannot have. */
        MALFORMED,
        /** The message does not belong here, or the handshake had ended. */
        OUT_OF_ORDER
    }
}
