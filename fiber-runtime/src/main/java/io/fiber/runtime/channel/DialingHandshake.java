// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeDialer;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.WorkerHandshake;

/** The dialling end, which takes the part of a worker. */
final class DialingHandshake extends LinkHandshake implements HandshakeDialer.Owner {

    private final HandshakeDialer handshake;

    DialingHandshake(Parts parts, LinkInvitation invitation, WorkerHandshake handshake) {
        super(parts, invitation);
        this.handshake = new HandshakeDialer(handshake, this);
    }

    @Override
    void onConnected() {
        handshake.begin();
    }

    @Override
    void onMessage(Message message) {
        if (!handshake.onMessage(message)) {
            fail("it sent message " + message.templateId() + " before it had proven itself");
        }
    }

    @Override
    public void post(Outgoing message) {
        send(message);
    }

    @Override
    public void onAdmitted(Admission admission) {
        agree(admission.keys());
    }

    @Override
    public void onFailed(HandshakeFailure failure) {
        fail("its handshake failed: " + failure);
    }
}
