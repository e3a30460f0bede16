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
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
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
 * sealed under a key of its own, so that it can read none of another client's. Belongs to the conductor.
 */
final class RemoteClient implements Peer.Listener, HandshakeAcceptor.Owner {

    /** The number that seals for the client; the client itself is {@link #CLIENT_SEALER}. */
    static final int SERVER_SEALER = 1;

    static final int CLIENT_SEALER = 2;

    private static final byte[] NO_SETTINGS = new byte[0];

    /**
     * What it was let in with.
     *
     * @param connection the connection by which it came
     * @param number which invitation it is
     * @param path its place in the program's tree
     * @param endNs until when it must have come by its link
     */
    record Invitation(AuthConnection connection, int number, ProcessPath path, long endNs) {}

    private final ClientRegistry registry;
    private final Invitation invitation;
    private final HandshakeAcceptor handshake;
    private final PayloadKey payloadKey = PayloadKey.random(new SecureRandom());
    private @Nullable Peer peer;
    private boolean admitted;

    RemoteClient(ClientRegistry registry, Invitation invitation, MasterHandshake handshake) {
        this.registry = registry;
        this.invitation = invitation;
        this.handshake = new HandshakeAcceptor(handshake, invitation.number(), this);
    }

    void connect(Peer newPeer) {
        peer = newPeer;
    }

    boolean cameBy(AuthConnection connection) {
        return invitation.connection() == connection;
    }

    /** Its connection to the listener has ended, so it has; what it had sent before is read. */
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
        if (message.payload().length() > 0 && message.payload().sealer() != CLIENT_SEALER) {
            refuse(
                    from,
                    "it sent a payload under the number " + message.payload().sealer());
            return;
        }
        switch (message.templateId()) {
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case RpcMessageDecoder.TEMPLATE_ID -> registry.router().onMessageOf(invitation.path(), message);
            case GoodbyeDecoder.TEMPLATE_ID -> from.close("it has closed its connection");
            default -> refuse(from, "it sent message " + message.templateId() + ", which no client sends");
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
        from.onProvenInTheOpen(keys);
        admitted = true;
        Conductor conductor = registry.router().conductor();
        Seals seals =
                Seals.under(payloadKey, SERVER_SEALER, (sealer, what) -> conductor.execute(() -> refuse(from, what)));
        registry.router().connect(invitation.path(), from::offer, seals);
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
            registry.countRefusal();
            from.close(reason);
        }
    }

    @Override
    public void onGone(Peer gone, String reason) {
        registry.forget(this, invitation.connection(), invitation.number());
        if (admitted) {
            admitted = false;
            registry.router()
                    .disconnect(
                            invitation.path(),
                            "the program at " + invitation.connection().from() + " is no longer connected: " + reason);
        }
    }
}
