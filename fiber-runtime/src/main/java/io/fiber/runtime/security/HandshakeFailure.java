// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import java.util.OptionalInt;

/**
 * Why a handshake failed. The peer is told nothing, except the version if the reason is {@link Reason#VERSION}.
 *
 * @param reason what was wrong
 * @param ownVersion the version of this end
 * @param peerVersion the version of the peer; empty if it has sent none
 */
public record HandshakeFailure(Reason reason, int ownVersion, OptionalInt peerVersion) {

    /** What was wrong. */
    public enum Reason {
        /** The two ends have different versions of the protocol. */
        VERSION,
        /** The peer does not have the key, or sees another handshake than this end. */
        BAD_PROOF,
        /** A field has an invalid length. */
        MALFORMED,
        /** The message is not expected in this step, or the handshake has already ended. */
        OUT_OF_ORDER
    }
}
