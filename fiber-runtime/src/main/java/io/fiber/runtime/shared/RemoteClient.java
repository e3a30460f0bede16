// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.LetterDecoder;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeAcceptor;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Another program, as the process sees it that lets it in: a peer that calls objects and does nothing else. Its payloads are
 * sealed under a key of its own, so that it can read none of another guest's. Belongs to the conductor.
 */
final class RemoteClient implements Peer.Listener, HandshakeAcceptor.Owner {

    /** Who seals for the guest; the guest itself is {@link #GUEST_SEALER}. */
    static final int HOUSE_SEALER = 1;

    static final int GUEST_SEALER = 2;

    private static final byte[] NO_SETTINGS = new byte[0];

    /**
     * What it was let in with.
     *
     * @param knock the connection by which it came
     * @param number which invitation it is
     * @param path its place in the program's tree
     * @param endNs until when it must have come by its link
     */
    record Invitation(AuthConnection knock, int number, ProcessPath path, long endNs) {}

    private final ClientRegistry house;
    private final Invitation invitation;
    private final HandshakeAcceptor handshake;
    private final PayloadKey payloadKey = PayloadKey.random(new SecureRandom());
    private @Nullable Peer peer;
    private boolean admitted;

    RemoteClient(ClientRegistry house, Invitation invitation, MasterHandshake handshake) {
        this.house = house;
        this.invitation = invitation;
        this.handshake = new HandshakeAcceptor(handshake, invitation.number(), this);
    }

    void connect(Peer newPeer) {
        peer = newPeer;
    }

    boolean cameBy(AuthConnection knock) {
        return invitation.knock() == knock;
    }

    /** Its connection at the door has ended, so it has; what it had sent before is read. */
    void onLeft(long nowNs) {
        if (peer != null) {
            peer.drain(nowNs);
            peer.close("it has ended, or its network");
        }
    }

    void sendAway(String why) {
        if (peer != null) {
            peer.close(why);
        }
    }

    void onTick(long nowNs) {
        if (!admitted && nowNs - invitation.endNs() > 0 && peer != null) {
            refuse(peer, "it did not come by the link that it was given");
        }
    }

    @Override
    public void onMessage(Peer from, Message message) {
        if (!admitted) {
            handshake.onMessage(message);
            return;
        }
        if (message.parcel().length() > 0 && message.parcel().sealer() != GUEST_SEALER) {
            refuse(
                    from,
                    "it sent a payload under the number " + message.parcel().sealer());
            return;
        }
        switch (message.templateId()) {
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case LetterDecoder.TEMPLATE_ID -> house.switchboard().onMessageOf(invitation.path(), message);
            case GoodbyeDecoder.TEMPLATE_ID -> from.close("it has closed its connection");
            default -> refuse(from, "it sent message " + message.templateId() + ", which no guest does");
        }
    }

    @Override
    public void post(Outgoing message) {
        requireNonNull(peer, "peer").post(message);
    }

    @Override
    public MasterHandshake.Entry admit(MasterHandshake proven) {
        return proven.admit(payloadKey, NO_SETTINGS);
    }

    @Override
    public void onAccepted(ConnectionKeys keys) {
        Peer from = requireNonNull(peer, "peer");
        from.onProven(keys);
        admitted = true;
        Conductor conductor = house.switchboard().conductor();
        Seals seals =
                Seals.under(payloadKey, HOUSE_SEALER, (sealer, what) -> conductor.execute(() -> refuse(from, what)));
        house.switchboard().connect(invitation.path(), from::offer, seals);
    }

    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        onRefused("its handshake failed: " + failure);
    }

    @Override
    public void onRefused(String reason) {
        refuse(requireNonNull(peer, "peer"), reason);
    }

    private void refuse(Peer from, String reason) {
        if (!from.isClosed()) {
            house.countRefusal();
            from.close(reason);
        }
    }

    @Override
    public void onGone(Peer gone, String reason) {
        house.forget(this, invitation.knock(), invitation.number());
        if (admitted) {
            admitted = false;
            house.switchboard()
                    .disconnect(
                            invitation.path(),
                            "the program at " + invitation.knock().from() + " is no longer connected: " + reason);
        }
    }
}
