// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeReading;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import java.security.SecureRandom;

/** The inviting end, which takes the part of the master. */
final class InvitingHandshake extends LinkHandshake {

    private static final byte[] NO_SETTINGS = new byte[0];

    private final MasterHandshake handshake;

    InvitingHandshake(Parts parts, LinkInvitation invitation, MasterHandshake handshake) {
        super(parts, invitation);
        this.handshake = handshake;
    }

    @Override
    void onConnected() {}

    /** Only here: the number of a ticket that came from elsewhere may be that of an invitation of this process. */
    @Override
    void onOver() {
        links().forget(invitation().number());
    }

    @Override
    void onMessage(Message message) {
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> onHello(message);
            case ProofDecoder.TEMPLATE_ID -> onProof(message);
            default -> fail("it sent message " + message.templateId() + " before it had proven itself");
        }
    }

    private void onHello(Message message) {
        HandshakeMessage.Hello hello = HandshakeReading.hello(message);
        if (hello.jobNumber() != invitation().number()) {
            fail("it holds ticket " + hello.jobNumber() + " on the link of ticket "
                    + invitation().number());
            return;
        }
        HandshakeStep<HandshakeMessage.Challenge> step = handshake.onHello(hello);
        if (step instanceof HandshakeStep.Next<HandshakeMessage.Challenge> next) {
            HandshakeMessage.Challenge challenge = next.value();
            post(Messages.challenge(challenge.protocolVersion(), challenge.masterNonce(), challenge.masterProof()));
        } else if (step instanceof HandshakeStep.Failed<HandshakeMessage.Challenge> failed) {
            refuse(failed.failure());
        }
    }

    private void onProof(Message message) {
        HandshakeStep<Long> step = handshake.onProof(HandshakeReading.proof(message));
        if (step instanceof HandshakeStep.Failed<Long> failed) {
            refuse(failed.failure());
            return;
        }
        MasterHandshake.Entry entry = handshake.admit(PayloadKey.random(new SecureRandom()), NO_SETTINGS);
        post(Messages.welcome(entry.welcome().sealed()));
        agree(entry.keys());
    }

    /** Versions cannot differ inside a program whose workers came through the same handshake, so nobody is told. */
    private void refuse(HandshakeFailure failure) {
        fail("its handshake failed: " + failure + " (protocol version " + Protocol.VERSION + ")");
    }
}
