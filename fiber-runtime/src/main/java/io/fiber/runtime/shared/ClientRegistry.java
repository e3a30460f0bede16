// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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

    /** The job number in the handshake; the key is the same for all. */
    private static final long NUMBER = 1;

    private static final int MOST_STRANGERS = 64;
    private static final long STRANGER_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final RemoteManagerServer.Terms terms;
    private final ObjectAddress object;
    private final JobKey key;
    private final Transport transport;
    private final Conductor conductor;
    private final SecureRandom random = new SecureRandom();
    private final ArrayDeque<RemoteClient> strangers = new ArrayDeque<>();
    private final List<RemoteClient> clients = new ArrayList<>();

    /**
     * Creates a registry without clients.
     *
     * @param object what they come for
     * @param key what they must hold
     * @param transport by which they come; no other process uses it
     */
    ClientRegistry(RemoteManagerServer.Terms terms, ObjectAddress object, JobKey key, Transport transport) {
        this.terms = terms;
        this.object = object;
        this.key = key;
        this.transport = transport;
        this.conductor = terms.router().conductor();
    }

    /** Returns the terms of a handshake, which are the same at both ends. */
    static HandshakeTerms handshakeTerms() {
        return HandshakeTerms.of(USE, NUMBER, false);
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
        RemoteClient stranger = new RemoteClient(
                this, new MasterHandshake(handshakeTerms(), key, random), conductor.nowNs() + STRANGER_LIMIT_NS);
        Peer peer;
        try {
            peer = conductor.addPeer(link, stranger);
        } catch (OutOfMemoryError e) {
            // Too many strangers: no reason to end the session.
            link.close();
            countRefusal();
            return;
        }
        peer.distrust();
        stranger.connect(peer);
        strangers.add(stranger);
        if (strangers.size() > MOST_STRANGERS) {
            strangers.getFirst().refuse("it had not shown the key, and too many came after it");
        }
    }

    RpcRouter router() {
        return terms.router();
    }

    void countRefusal() {
        terms.refused().run();
    }

    /** Gives a client that has shown the key its place, or says why there is none. */
    AccessGrant admit(RemoteClient client) {
        if (clients.size() >= RemoteManagerServer.MOST) {
            return new AccessGrant.Denied("it has " + clients.size() + " clients, and no room for more");
        }
        strangers.remove(client);
        clients.add(client);
        int number = Math.toIntExact(terms.numbers().getAsLong());
        ProcessAddress own = router().processAddress();
        return new AccessGrant.Granted(
                new ProcessAddress(own.program(), own.path().child(number)), object, terms.serializer(), terms.lease());
    }

    /** A client has gone, for whatever reason. */
    void forget(RemoteClient client) {
        clients.remove(client);
        strangers.remove(client);
    }

    @Override
    public boolean isTimed() {
        return !strangers.isEmpty();
    }

    @Override
    public int doWork(long nowNs) {
        while (!strangers.isEmpty() && nowNs - strangers.getFirst().endNs() > 0) {
            strangers.getFirst().refuse("it did not show the key in time");
        }
        return 0;
    }
}
