// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeReading;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.WorkerHandshake;

/** The dialling end, which takes the part of a worker. */
final class DialingHandshake extends LinkHandshake {

    private final WorkerHandshake handshake;

    DialingHandshake(Parts parts, LinkInvitation invitation, WorkerHandshake handshake) {
        super(parts, invitation);
        this.handshake = handshake;
    }

    @Override
    void onConnected() {
        HandshakeMessage.Hello hello = handshake.hello();
        post(Messages.hello(hello.protocolVersion(), hello.jobNumber(), hello.workerNonce()));
    }

    @Override
    void onMessage(Message message) {
        switch (message.templateId()) {
            case ChallengeDecoder.TEMPLATE_ID -> onChallenge(message);
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(message);
            default -> fail("it sent message " + message.templateId() + " before it had proven itself");
        }
    }

    private void onChallenge(Message message) {
        HandshakeStep<HandshakeMessage.Proof> step = handshake.onChallenge(HandshakeReading.challenge(message));
        if (step instanceof HandshakeStep.Next<HandshakeMessage.Proof> next) {
            post(Messages.proof(next.value().workerProof()));
        } else if (step instanceof HandshakeStep.Failed<HandshakeMessage.Proof> failed) {
            fail("its handshake failed: " + failed.failure());
        }
    }

    private void onWelcome(Message message) {
        HandshakeStep<Admission> step = handshake.onWelcome(
                new HandshakeMessage.Welcome(message.parcel().payload().toArray()));
        if (step instanceof HandshakeStep.Next<Admission> next) {
            agree(next.value().keys());
        } else if (step instanceof HandshakeStep.Failed<Admission> failed) {
            fail("its handshake failed: " + failed.failure());
        }
    }
}
