// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The programs that come for a manager at one address. Each has a link of its own, must show the key there, and is then
 * given a place in the program's tree under this process, as if it were a worker that starts nothing. Belongs to the
 * conductor.
 *
 * <p>Strangers are few at a time and have little time; when one more comes, the one that came first has to go. Nothing that
 * they send is read but the messages of the handshake.
 */
final class ClientRegistry implements Duty {

    /** The session id in the handshake, and what keys are derived for: a client knows no other name before it is let in. */
    static final String USE = "fiber/1 manager";

    /** The number of each client on its link, whose master this process is. */
    static final int CLIENT_NUMBER = 1;

    private static final int MOST_STRANGERS = 64;
    private static final long STRANGER_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final RemoteManagerServer.Terms terms;
    private final ObjectAddress object;
    private final JobKey key;
    private final Transport transport;
    private final Conductor conductor;
    private final SecureRandom random = new SecureRandom();
    private final ArrayDeque<Client> strangers = new ArrayDeque<>();
    private final List<Client> clients = new ArrayList<>();

    /** Creates a registry without clients; no other process uses the transport. */
    ClientRegistry(RemoteManagerServer.Terms terms, ObjectAddress object, JobKey key, Transport transport) {
        this.terms = terms;
        this.object = object;
        this.key = key;
        this.transport = transport;
        this.conductor = terms.router().conductor();
    }

    /** Returns the terms of a handshake, which are the same at both ends. */
    static HandshakeTerms handshakeTerms() {
        return HandshakeTerms.of(USE, CLIENT_NUMBER, false);
    }

    /**
     * Listens, and returns the port.
     *
     * @throws io.fiber.spi.transport.TransportException when the transport cannot listen there
     */
    int open(int port) {
        conductor.addTransport(transport);
        conductor.addDuty(this);
        return transport.listen(port, this::onNewcomer);
    }

    /** Sends all clients away and closes the transport. */
    void shut(String why) {
        List.copyOf(strangers).forEach(client -> client.sendAway(why));
        List.copyOf(clients).forEach(client -> client.sendAway(why));
        conductor.removeDuty(this);
        conductor.removeTransport(transport);
    }

    private void onNewcomer(Link link) {
        Client stranger =
                new Client(new MasterHandshake(handshakeTerms(), key, random), conductor.nowNs() + STRANGER_LIMIT_NS);
        Peer peer;
        try {
            peer = conductor.addPeer(link, stranger);
        } catch (OutOfMemoryError e) {
            // Too many strangers: no reason to end the session.
            link.close();
            terms.refused().run();
            return;
        }
        peer.distrust();
        stranger.peer = peer;
        strangers.add(stranger);
        if (strangers.size() > MOST_STRANGERS) {
            strangers
                    .getFirst()
                    .refuse("it had not proven that it has the key, and too many others connected after it");
        }
    }

    @Override
    public boolean isTimed() {
        return !strangers.isEmpty();
    }

    @Override
    public int doWork(long nowNs) {
        while (!strangers.isEmpty() && nowNs - strangers.getFirst().endNs > 0) {
            strangers.getFirst().refuse("it did not prove in time that it has the key");
        }
        return 0;
    }

    /**
     * Another program: a peer that calls objects and does nothing else. Its payloads are sealed under a key of its own, so
     * that it can read none of another client's.
     */
    private final class Client implements Peer.Listener, MasterHandshake.Owner {
        private final MasterHandshake handshake;
        /** Until when it must have been let in. */
        private final long endNs;

        private final PayloadKey payloadKey = PayloadKey.random(random);
        private @Nullable Peer peer;
        /** Its place in the program's tree, once it was let in. */
        private @Nullable ProcessPath path;

        private boolean isRefused;

        Client(MasterHandshake handshake, long endNs) {
            this.handshake = handshake;
            this.endNs = endNs;
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
            if (message.payload().length() > 0 && message.payload().sealer() != CLIENT_NUMBER) {
                refuse("it sent a payload under the number " + message.payload().sealer());
                return;
            }
            switch (message.templateId()) {
                case HeartbeatDecoder.TEMPLATE_ID -> {}
                case RpcMessageDecoder.TEMPLATE_ID -> terms.router().onMessageOf(place, message);
                case GoodbyeDecoder.TEMPLATE_ID -> from.close("the program has closed its connection");
                default -> refuse("it sent message " + message.templateId() + ", which no client sends");
            }
        }

        @Override
        public void post(Outgoing message) {
            requireNonNull(peer, "peer").post(message);
        }

        /** Gives it its place, now that it has shown the key, or says why there is none. */
        @Override
        public MasterHandshake.Welcome admit() {
            if (clients.size() >= RemoteManagerServer.MOST) {
                String why = "it has " + clients.size() + " clients already, and accepts no more";
                return new MasterHandshake.Welcome(payloadKey, AccessGrant.denial(why));
            }
            strangers.remove(this);
            clients.add(this);
            ProcessAddress own = terms.router().processAddress();
            ProcessAddress place = new ProcessAddress(
                    own.program(), own.path().child(terms.numbers().getAsInt()));
            path = place.path();
            AccessGrant grant = new AccessGrant(place, object, terms.serializer(), terms.lease());
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
            Seals seals = Seals.under(
                    payloadKey, Protocol.MASTER_NUMBER, (sealer, what) -> conductor.execute(() -> refuse(what)));
            terms.router().connect(place, from::offer, seals);
        }

        @Override
        public void onGone(Peer gone, String reason) {
            clients.remove(this);
            strangers.remove(this);
            ProcessPath place = path;
            if (place == null || isRefused || gone.hasSentFault()) {
                terms.refused().run();
            }
            if (place != null) {
                terms.router().disconnect(place, "the connected program is gone: " + reason);
            }
        }
    }
}
