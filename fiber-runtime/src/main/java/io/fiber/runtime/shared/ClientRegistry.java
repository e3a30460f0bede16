// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.JobKeys;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one {@link AuthListener}: each is given a link of its own and a place in the program's tree under this
 * process, as if it were a worker that starts nothing. Belongs to the conductor, but for what the listener calls.
 */
final class ClientRegistry implements Duty, AuthListener.Callback {

    /** How long a client that was granted access may take to connect by its link. */
    private static final long WAY_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final RemoteManagerServer.Terms terms;
    private final ObjectAddress object;
    private final Transport transport;
    private final Conductor conductor;
    private final RpcRouter router;
    private final SecureRandom random = new SecureRandom();
    private final JobKeys keys = new JobKeys(random, RemoteManagerServer.MOST);
    private final List<RemoteClient> clients = new ArrayList<>();
    private @Nullable Link spare;

    /**
     * Creates a registry without clients.
     *
     * @param object what they come for
     * @param transport by which they are reached; no other process uses it
     */
    ClientRegistry(RemoteManagerServer.Terms terms, ObjectAddress object, Transport transport) {
        this.terms = terms;
        this.object = object;
        this.transport = transport;
        this.router = terms.router();
        this.conductor = router.conductor();
    }

    /**
     * Starts the transport.
     *
     * @throws TransportException when it cannot listen
     */
    void open() {
        conductor.addTransport(transport);
        conductor.addDuty(this);
        spare = transport.invite();
    }

    /** Sends everybody away and closes the transport. */
    void shut(String why) {
        List.copyOf(clients).forEach(client -> client.sendAway(why));
        conductor.removeDuty(this);
        conductor.removeTransport(transport);
    }

    @Override
    public void onProven(AuthConnection connection) {
        conductor.execute(() -> conductor.later(() -> letIn(connection)));
    }

    @Override
    public void onLeft(AuthConnection connection) {
        conductor.execute(() -> List.copyOf(clients).stream()
                .filter(client -> client.cameBy(connection))
                .forEach(client -> client.onLeft(conductor.nowNs())));
    }

    @Override
    public void onRefused() {
        terms.refused().run();
    }

    private void letIn(AuthConnection connection) {
        if (connection.isClosed()) {
            return;
        }
        if (clients.size() >= RemoteManagerServer.MOST) {
            answer(connection, new AccessGrant.Denied("it has " + clients.size() + " clients, and no room for more"));
            return;
        }
        try {
            Link link = spare == null ? transport.invite() : spare;
            spare = null;
            answer(connection, invite(connection, link));
        } catch (TransportException e) {
            answer(connection, new AccessGrant.Denied(String.valueOf(e.getMessage())));
        }
    }

    private AccessGrant invite(AuthConnection connection, Link link) {
        int number = Math.toIntExact(terms.numbers().getAsLong());
        ProcessPath path = router.path().child(number);
        JobKey key = keys.register(number);
        HandshakeTerms agreed =
                new HandshakeTerms(Protocol.VERSION, router.processAddress().program(), HandshakeTerms.Exposure.OPEN);
        RemoteClient client = new RemoteClient(
                this,
                new RemoteClient.Invitation(connection, number, path, conductor.nowNs() + WAY_LIMIT_NS),
                new MasterHandshake(agreed, keys, random));
        Peer peer = conductor.addPeer(link, client);
        client.connect(peer);
        clients.add(client);
        return new AccessGrant.Granted(
                new ProcessAddress(router.processAddress().program(), path),
                object,
                new LinkInvitation(link.address(), number, key),
                terms.requirements());
    }

    private static void answer(AuthConnection connection, AccessGrant grant) {
        connection.listener().execute(() -> connection.answer(grant));
    }

    RpcRouter router() {
        return router;
    }

    void countRefusal() {
        terms.refused().run();
    }

    /** A client has gone, for whatever reason. */
    void forget(RemoteClient client, AuthConnection connection, long number) {
        clients.remove(client);
        keys.forget(number);
        connection.listener().execute(connection::close);
    }

    @Override
    public int doWork(long nowNs) {
        for (int i = clients.size() - 1; i >= 0; i--) {
            clients.get(i).onTick(nowNs);
        }
        return 0;
    }
}
