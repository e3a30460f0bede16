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
final class RemoteClient implements Peer.Listener, MasterHandshake.Owner {

    /** The number that seals for the client; the client itself is {@link #CLIENT_SEALER}. */
    static final int SERVER_SEALER = 1;

    static final int CLIENT_SEALER = 2;

    private final ClientRegistry registry;
    private final MasterHandshake handshake;
    private final long endNs;
    private final PayloadKey payloadKey = PayloadKey.random(new SecureRandom());
    private @Nullable Peer peer;
    /** Its place in the program's tree, once it was let in. */
    private @Nullable ProcessPath path;

    private boolean isRefused;

    /**
     * Creates a client that has shown nothing yet.
     *
     * @param endNs until when it must have been let in
     */
    RemoteClient(ClientRegistry registry, MasterHandshake handshake, long endNs) {
        this.registry = registry;
        this.handshake = handshake;
        this.endNs = endNs;
    }

    long endNs() {
        return endNs;
    }

    void connect(Peer newPeer) {
        peer = newPeer;
    }

    void sendAway(String why) {
        if (peer != null) {
            peer.close(why);
        }
    }

    @Override
    public void refuse(String reason) {
        isRefused = true;
        sendAway(reason);
    }

    @Override
    public void onMessage(Peer from, Message message) {
        ProcessPath place = path;
        if (place == null) {
            handshake.onMessage(message, this);
            return;
        }
        if (message.payload().length() > 0 && message.payload().sealer() != CLIENT_SEALER) {
            refuse("it sent a payload under the number " + message.payload().sealer());
            return;
        }
        switch (message.templateId()) {
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case RpcMessageDecoder.TEMPLATE_ID -> registry.router().onMessageOf(place, message);
            case GoodbyeDecoder.TEMPLATE_ID -> from.close("it has closed its connection");
            default -> refuse("it sent message " + message.templateId() + ", which no client sends");
        }
    }

    @Override
    public void post(Outgoing message) {
        requireNonNull(peer, "peer").post(message);
    }

    @Override
    public MasterHandshake.Welcome admit() {
        AccessGrant grant = registry.admit(this);
        path = grant instanceof AccessGrant.Granted granted
                ? granted.processAddress().path()
                : null;
        return new MasterHandshake.Welcome(payloadKey, grant.encode());
    }

    @Override
    public void onAccepted(ConnectionKeys keys) {
        Peer from = requireNonNull(peer, "peer");
        from.onProvenInTheOpen(keys);
        ProcessPath place = path;
        if (place == null) {
            return;
        }
        Conductor conductor = registry.router().conductor();
        Seals seals = Seals.under(payloadKey, SERVER_SEALER, (sealer, what) -> conductor.execute(() -> refuse(what)));
        registry.router().connect(place, from::offer, seals);
    }

    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        // It was told the version of this process, and goes by itself or when its time is up.
    }

    @Override
    public void onGone(Peer gone, String reason) {
        registry.forget(this);
        ProcessPath place = path;
        if (place == null || isRefused || gone.hasSentFault()) {
            registry.countRefusal();
        }
        if (place != null) {
            registry.router().disconnect(place, "the connected program is gone: " + reason);
        }
    }
}
