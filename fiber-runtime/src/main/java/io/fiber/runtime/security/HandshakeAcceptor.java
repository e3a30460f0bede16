// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;

/**
 * The handshake of a link at the end that was dialled: takes the messages of the other end, answers them, and tells the
 * link's owner how it went. Belongs to the conductor.
 */
public final class HandshakeAcceptor {

    /** The owner of the link. */
    public interface Owner {
        void post(Outgoing message);

        /** The other end has proven itself: lets it in, with the key of payloads and the settings that it gets. */
        MasterHandshake.Entry admit(MasterHandshake handshake);

        /** The other end has proven itself and its welcome was posted. */
        void onAccepted(ConnectionKeys keys);

        /** The other end speaks another version of the protocol, and was told so. */
        void onOtherVersion(HandshakeFailure failure);

        /** The other end has not proven itself. */
        void onRefused(String reason);
    }

    private final MasterHandshake handshake;
    private final long number;
    private final Owner owner;

    /**
     * Creates the handshake of one link.
     *
     * @param number the job, or invitation, that the link is for
     */
    public HandshakeAcceptor(MasterHandshake handshake, long number, Owner owner) {
        this.handshake = handshake;
        this.number = number;
        this.owner = owner;
    }

    /** Takes a message that came before the other end was accepted. */
    public void onMessage(Message message) {
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> onHello(message.as(new HelloDecoder()));
            case ProofDecoder.TEMPLATE_ID -> onProof(message.as(new ProofDecoder()));
            default -> owner.onRefused("it sent message " + message.templateId() + " before it had proven itself");
        }
    }

    private void onHello(HelloDecoder hello) {
        if (hello.jobNumber() != number) {
            owner.onRefused("it claims number " + hello.jobNumber() + " on the link of number " + number);
            return;
        }
        byte[] nonce = new byte[HelloDecoder.nonceLength()];
        hello.getNonce(nonce, 0, nonce.length);
        HandshakeStep<HandshakeMessage.Challenge> step =
                handshake.onHello(new HandshakeMessage.Hello(hello.protocolVersion(), hello.jobNumber(), nonce));
        if (step instanceof HandshakeStep.Next<HandshakeMessage.Challenge> next) {
            HandshakeMessage.Challenge challenge = next.value();
            owner.post(
                    Messages.challenge(challenge.protocolVersion(), challenge.masterNonce(), challenge.masterProof()));
        } else if (step instanceof HandshakeStep.Failed<HandshakeMessage.Challenge> failed) {
            onFailed(failed.failure());
        }
    }

    private void onProof(ProofDecoder message) {
        byte[] proof = new byte[ProofDecoder.proofLength()];
        message.getProof(proof, 0, proof.length);
        if (handshake.onProof(new HandshakeMessage.Proof(proof)) instanceof HandshakeStep.Failed<Long> failed) {
            onFailed(failed.failure());
            return;
        }
        MasterHandshake.Entry entry = owner.admit(handshake);
        owner.post(Messages.welcome(entry.welcome().sealed()));
        owner.onAccepted(entry.keys());
    }

    private void onFailed(HandshakeFailure failure) {
        if (failure.reason() == HandshakeFailure.Reason.VERSION) {
            owner.post(Messages.refusal(Protocol.VERSION));
            owner.onOtherVersion(failure);
        } else {
            owner.onRefused("its handshake failed: " + failure);
        }
    }
}
