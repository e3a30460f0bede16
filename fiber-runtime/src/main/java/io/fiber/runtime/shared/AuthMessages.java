// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.MasterHandshake;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The messages of an {@link AuthListener}, big endian: {@code uint16} length of what follows, {@code uint8} kind, fields. Nothing but the
 * handshake is said there.
 */
final class AuthMessages {

    static final int PREFIX_BYTES = Short.BYTES;

    /** No message is longer, its prefix not counted. */
    static final int GREATEST_BYTES = 1 + MasterHandshake.WELCOME_OVERHEAD_BYTES + MasterHandshake.SETTINGS_LIMIT_BYTES;

    /** Nor is one of a stranger. */
    static final int GREATEST_OF_STRANGER_BYTES = 128;

    private static final byte HELLO = 1;
    private static final byte CHALLENGE = 2;
    private static final byte PROOF = 3;
    private static final byte WELCOME = 4;
    private static final byte VERSION_REFUSAL = 5;

    private AuthMessages() {}

    /** Returns a message with its prefix, ready to be read. */
    static ByteBuffer encode(HandshakeMessage message) {
        ByteBuffer out = ByteBuffer.allocate(PREFIX_BYTES + GREATEST_BYTES).position(PREFIX_BYTES);
        if (message instanceof HandshakeMessage.Hello hello) {
            out.put(HELLO).putInt(hello.protocolVersion()).put(hello.workerNonce());
        } else if (message instanceof HandshakeMessage.Challenge challenge) {
            out.put(CHALLENGE).putInt(challenge.protocolVersion());
            out.put(challenge.masterNonce()).put(challenge.masterProof());
        } else if (message instanceof HandshakeMessage.Proof proof) {
            out.put(PROOF).put(proof.workerProof());
        } else if (message instanceof HandshakeMessage.Welcome welcome) {
            out.put(WELCOME).put(welcome.sealed());
        } else if (message instanceof HandshakeMessage.VersionRefusal refusal) {
            out.put(VERSION_REFUSAL).putInt(refusal.protocolVersion());
        }
        return out.putShort(0, (short) (out.position() - PREFIX_BYTES)).flip();
    }

    /**
     * Reads a message without its prefix.
     *
     * @throws IOException when it is none
     */
    static HandshakeMessage decode(ByteBuffer in) throws IOException {
        int length = in.remaining();
        byte kind = length == 0 ? 0 : in.get();
        if (kind == HELLO && length == 1 + Integer.BYTES + HandshakeMessage.NONCE_BYTES) {
            return new HandshakeMessage.Hello(
                    in.getInt(), AuthListener.NUMBER, bytes(in, HandshakeMessage.NONCE_BYTES));
        }
        if (kind == CHALLENGE
                && length == 1 + Integer.BYTES + HandshakeMessage.NONCE_BYTES + HandshakeMessage.PROOF_BYTES) {
            return new HandshakeMessage.Challenge(
                    in.getInt(), bytes(in, HandshakeMessage.NONCE_BYTES), bytes(in, HandshakeMessage.PROOF_BYTES));
        }
        if (kind == PROOF && length == 1 + HandshakeMessage.PROOF_BYTES) {
            return new HandshakeMessage.Proof(bytes(in, HandshakeMessage.PROOF_BYTES));
        }
        if (kind == WELCOME) {
            return new HandshakeMessage.Welcome(bytes(in, in.remaining()));
        }
        if (kind == VERSION_REFUSAL && length == 1 + Integer.BYTES) {
            return new HandshakeMessage.VersionRefusal(in.getInt());
        }
        throw new IOException("a message of kind " + kind + " and " + length + " bytes");
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
