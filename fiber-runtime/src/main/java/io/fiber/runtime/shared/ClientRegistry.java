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
 * The guests that came through one door: each is given a link of its own and a place in the program's tree under this
 * process, as if it were a worker that starts nothing. Belongs to the conductor, but for what the door calls.
 */
final class ClientRegistry implements Duty, AuthListener.Porter {

    /** How long whoever was let in at the door may take to come by the link. */
    private static final long WAY_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final RemoteManagerServer.Terms terms;
    private final ObjectAddress object;
    private final Transport transport;
    private final Conductor conductor;
    private final RpcRouter switchboard;
    private final SecureRandom random = new SecureRandom();
    private final JobKeys keys = new JobKeys(random, RemoteManagerServer.MOST);
    private final List<RemoteClient> guests = new ArrayList<>();
    private @Nullable Link spare;

    /**
     * Creates a house without guests.
     *
     * @param object what they come for
     * @param transport by which they are reached, and by nobody else
     */
    ClientRegistry(RemoteManagerServer.Terms terms, ObjectAddress object, Transport transport) {
        this.terms = terms;
        this.object = object;
        this.transport = transport;
        this.switchboard = terms.switchboard();
        this.conductor = switchboard.conductor();
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
        List.copyOf(guests).forEach(guest -> guest.sendAway(why));
        conductor.removeDuty(this);
        conductor.removeTransport(transport);
    }

    @Override
    public void onProven(AuthConnection knock) {
        conductor.execute(() -> conductor.later(() -> letIn(knock)));
    }

    @Override
    public void onLeft(AuthConnection knock) {
        conductor.execute(() -> List.copyOf(guests).stream()
                .filter(guest -> guest.cameBy(knock))
                .forEach(guest -> guest.onLeft(conductor.nowNs())));
    }

    @Override
    public void onRefused() {
        terms.refused().run();
    }

    private void letIn(AuthConnection knock) {
        if (knock.isClosed()) {
            return;
        }
        if (guests.size() >= RemoteManagerServer.MOST) {
            answer(knock, new AccessGrant.Denied("it has " + guests.size() + " guests, and no room for more"));
            return;
        }
        try {
            Link link = spare == null ? transport.invite() : spare;
            spare = null;
            answer(knock, invite(knock, link));
        } catch (TransportException e) {
            answer(knock, new AccessGrant.Denied(String.valueOf(e.getMessage())));
        }
    }

    private AccessGrant invite(AuthConnection knock, Link link) {
        int number = Math.toIntExact(terms.numbers().getAsLong());
        ProcessPath path = switchboard.here().child(number);
        JobKey key = keys.register(number);
        HandshakeTerms agreed =
                new HandshakeTerms(Protocol.VERSION, switchboard.seat().program(), HandshakeTerms.Exposure.OPEN);
        RemoteClient guest = new RemoteClient(
                this,
                new RemoteClient.Invitation(knock, number, path, conductor.nowNs() + WAY_LIMIT_NS),
                new MasterHandshake(agreed, keys, random));
        Peer peer = conductor.addPeer(link, guest);
        guest.connect(peer);
        guests.add(guest);
        return new AccessGrant.Granted(
                new ProcessAddress(switchboard.seat().program(), path),
                object,
                new LinkInvitation(link.address(), number, key),
                terms.house());
    }

    private static void answer(AuthConnection knock, AccessGrant pass) {
        knock.door().execute(() -> knock.answer(pass));
    }

    RpcRouter switchboard() {
        return switchboard;
    }

    void countRefusal() {
        terms.refused().run();
    }

    /** A guest has gone, for whatever reason. */
    void forget(RemoteClient guest, AuthConnection knock, long number) {
        guests.remove(guest);
        keys.forget(number);
        knock.door().execute(knock::close);
    }

    @Override
    public int doWork(long nowNs) {
        for (int i = guests.size() - 1; i >= 0; i--) {
            guests.get(i).onTick(nowNs);
        }
        return 0;
    }
}
