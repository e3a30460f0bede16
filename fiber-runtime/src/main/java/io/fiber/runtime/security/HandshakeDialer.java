// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;

/**
 * The handshake of a link at the end that dials: says hello, answers the other end, and tells the link's owner how it went.
 * Belongs to the conductor.
 */
public final class HandshakeDialer {

    /** The owner of the link. */
    public interface Owner {
        void post(Outgoing message);

        /** Both ends have proven themselves. */
        void onAdmitted(Admission admission);

        /** The other end has not proven itself, or has not accepted this one. */
        void onFailed(HandshakeFailure failure);
    }

    private final WorkerHandshake handshake;
    private final Owner owner;

    public HandshakeDialer(WorkerHandshake handshake, Owner owner) {
        this.handshake = handshake;
        this.owner = owner;
    }

    /** Sends the first message. */
    public void begin() {
        HandshakeMessage.Hello hello = handshake.hello();
        owner.post(Messages.hello(hello.protocolVersion(), hello.jobNumber(), hello.workerNonce()));
    }

    /** Takes a message; returns false when it is none of a handshake. */
    public boolean onMessage(Message message) {
        switch (message.templateId()) {
            case ChallengeDecoder.TEMPLATE_ID -> onChallenge(message.as(new ChallengeDecoder()));
            case WelcomeDecoder.TEMPLATE_ID ->
                onWelcome(new HandshakeMessage.Welcome(message.payload().bytes().toArray()));
            case RefusalDecoder.TEMPLATE_ID -> onRefusal(message.as(new RefusalDecoder()));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void onChallenge(ChallengeDecoder challenge) {
        byte[] nonce = new byte[ChallengeDecoder.nonceLength()];
        byte[] proof = new byte[ChallengeDecoder.proofLength()];
        challenge.getNonce(nonce, 0, nonce.length);
        challenge.getProof(proof, 0, proof.length);
        HandshakeStep<HandshakeMessage.Proof> step =
                handshake.onChallenge(new HandshakeMessage.Challenge(challenge.protocolVersion(), nonce, proof));
        if (step instanceof HandshakeStep.Next<HandshakeMessage.Proof> next) {
            owner.post(Messages.proof(next.value().workerProof()));
        } else if (step instanceof HandshakeStep.Failed<HandshakeMessage.Proof> failed) {
            owner.onFailed(failed.failure());
        }
    }

    private void onWelcome(HandshakeMessage.Welcome welcome) {
        HandshakeStep<Admission> step = handshake.onWelcome(welcome);
        if (step instanceof HandshakeStep.Next<Admission> next) {
            owner.onAdmitted(next.value());
        } else if (step instanceof HandshakeStep.Failed<Admission> failed) {
            owner.onFailed(failed.failure());
        }
    }

    private void onRefusal(RefusalDecoder refusal) {
        owner.onFailed(handshake.onVersionRefusal(new HandshakeMessage.VersionRefusal(refusal.protocolVersion())));
    }
}
