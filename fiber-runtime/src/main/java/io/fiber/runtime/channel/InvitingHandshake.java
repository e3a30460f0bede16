// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeAcceptor;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import java.security.SecureRandom;

/** The inviting end, which takes the part of the master. */
final class InvitingHandshake extends LinkHandshake implements HandshakeAcceptor.Owner {

    private static final byte[] NO_SETTINGS = new byte[0];

    private final HandshakeAcceptor handshake;

    InvitingHandshake(Parts parts, LinkInvitation invitation, MasterHandshake handshake) {
        super(parts, invitation);
        this.handshake = new HandshakeAcceptor(handshake, invitation.number(), this);
    }

    @Override
    void onConnected() {}

    /** Only here: the number of an invitation that came from elsewhere may be that of an invitation of this process. */
    @Override
    void onOver() {
        links().forget(invitation().number());
    }

    @Override
    void onMessage(Message message) {
        handshake.onMessage(message);
    }

    @Override
    public void post(Outgoing message) {
        send(message);
    }

    @Override
    public MasterHandshake.Entry admit(MasterHandshake proven) {
        return proven.admit(PayloadKey.random(new SecureRandom()), NO_SETTINGS);
    }

    @Override
    public void onAccepted(ConnectionKeys keys) {
        agree(keys);
    }

    /** Versions do not differ inside a program whose workers came through the same handshake. */
    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        onRefused("its handshake failed: " + failure);
    }

    @Override
    public void onRefused(String reason) {
        fail(reason);
    }
}
