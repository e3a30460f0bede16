// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;

/** Reads the messages of a handshake from the wire; what is read is copied. */
public final class HandshakeReading {

    private HandshakeReading() {}

    /** Returns what whoever dials says first. */
    public static HandshakeMessage.Hello hello(Message message) {
        HelloDecoder hello =
                new HelloDecoder().wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
        byte[] nonce = new byte[HelloDecoder.nonceLength()];
        hello.getNonce(nonce, 0, nonce.length);
        return new HandshakeMessage.Hello(hello.protocolVersion(), hello.jobNumber(), nonce);
    }

    /** Returns the answer to a hello. */
    public static HandshakeMessage.Challenge challenge(Message message) {
        ChallengeDecoder challenge = new ChallengeDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
        byte[] nonce = new byte[ChallengeDecoder.nonceLength()];
        byte[] proof = new byte[ChallengeDecoder.proofLength()];
        challenge.getNonce(nonce, 0, nonce.length);
        challenge.getProof(proof, 0, proof.length);
        return new HandshakeMessage.Challenge(challenge.protocolVersion(), nonce, proof);
    }

    /** Returns the answer to a challenge. */
    public static HandshakeMessage.Proof proof(Message message) {
        byte[] bytes = new byte[ProofDecoder.proofLength()];
        new ProofDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .getProof(bytes, 0, bytes.length);
        return new HandshakeMessage.Proof(bytes);
    }
}
