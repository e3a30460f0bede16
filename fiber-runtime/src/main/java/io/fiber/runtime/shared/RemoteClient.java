// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeReading;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Another program, as the process sees it that lets it in: a peer that calls objects and does nothing else. Its payloads are
 * sealed under a key of its own, so that it can read none of another client's. Belongs to the conductor.
 */
final class RemoteClient implements Peer.Listener {

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
    private final MasterHandshake handshake;
    private @Nullable Peer peer;
    private boolean admitted;

    RemoteClient(ClientRegistry registry, Invitation invitation, MasterHandshake handshake) {
        this.registry = registry;
        this.invitation = invitation;
        this.handshake = handshake;
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
            onHandshake(from, message);
            return;
        }
        if (message.parcel().length() > 0 && message.parcel().sealer() != CLIENT_SEALER) {
            refuse(
                    from,
                    "it sent a payload under the number " + message.parcel().sealer());
            return;
        }
        switch (message.templateId()) {
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case RpcMessageDecoder.TEMPLATE_ID -> registry.router().onMessageOf(invitation.path(), message);
            case GoodbyeDecoder.TEMPLATE_ID -> from.close("it has closed its connection");
            default -> refuse(from, "it sent message " + message.templateId() + ", which no client sends");
        }
    }

    private void onHandshake(Peer from, Message message) {
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> onHello(from, message);
            case ProofDecoder.TEMPLATE_ID -> onProof(from, message);
            default -> refuse(from, "it sent message " + message.templateId() + " before it had proven itself");
        }
    }

    private void onHello(Peer from, Message message) {
        HandshakeMessage.Hello hello = HandshakeReading.hello(message);
        if (hello.jobNumber() == invitation.number()
                && handshake.onHello(hello) instanceof HandshakeStep.Next<HandshakeMessage.Challenge> next) {
            HandshakeMessage.Challenge challenge = next.value();
            from.post(
                    Messages.challenge(challenge.protocolVersion(), challenge.masterNonce(), challenge.masterProof()));
        } else {
            refuse(from, "its handshake failed");
        }
    }

    private void onProof(Peer from, Message message) {
        if (!(handshake.onProof(HandshakeReading.proof(message)) instanceof HandshakeStep.Next<Long>)) {
            refuse(from, "its handshake failed");
            return;
        }
        PayloadKey key = PayloadKey.random(new SecureRandom());
        MasterHandshake.Entry entry = handshake.admit(key, NO_SETTINGS);
        from.post(Messages.welcome(entry.welcome().sealed()));
        HeaderSeal seal = entry.keys().headerSeal(Protocol.CONDUCTOR_STREAM);
        from.sealWith(seal);
        from.openWith(seal);
        from.trust(Protocol.PAYLOAD_LIMIT_BYTES);
        admitted = true;
        Conductor conductor = registry.router().conductor();
        Seals seals = Seals.under(key, SERVER_SEALER, (sealer, what) -> conductor.execute(() -> refuse(from, what)));
        registry.router().connect(invitation.path(), from::offer, seals);
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
