// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.guest;

import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.conductor.Duty;
import io.fiber.runtime.conductor.Peer;
import io.fiber.runtime.link.Ticket;
import io.fiber.runtime.process.Protocol;
import io.fiber.runtime.secure.HandshakeTerms;
import io.fiber.runtime.secure.JobKey;
import io.fiber.runtime.secure.JobKeys;
import io.fiber.runtime.secure.MasterHandshake;
import io.fiber.runtime.service.ObjectAddress;
import io.fiber.runtime.service.Switchboard;
import io.fiber.runtime.wire.ProcessPath;
import io.fiber.runtime.wire.Seat;
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
final class GuestHouse implements Duty, Door.Porter {

    /** How long whoever was let in at the door may take to come by the link. */
    private static final long WAY_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Guests.Terms terms;
    private final ObjectAddress object;
    private final Transport transport;
    private final Conductor conductor;
    private final Switchboard switchboard;
    private final SecureRandom random = new SecureRandom();
    private final JobKeys keys = new JobKeys(random, Guests.MOST);
    private final List<Guest> guests = new ArrayList<>();
    private @Nullable Link spare;

    /**
     * Creates a house without guests.
     *
     * @param object what they come for
     * @param transport by which they are reached, and by nobody else
     */
    GuestHouse(Guests.Terms terms, ObjectAddress object, Transport transport) {
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
    public void onProven(Knock knock) {
        conductor.execute(() -> conductor.later(() -> letIn(knock)));
    }

    @Override
    public void onLeft(Knock knock) {
        conductor.execute(() -> List.copyOf(guests).stream()
                .filter(guest -> guest.cameBy(knock))
                .forEach(guest -> guest.onLeft(conductor.nowNs())));
    }

    @Override
    public void onRefused() {
        terms.refused().run();
    }

    private void letIn(Knock knock) {
        if (knock.isClosed()) {
            return;
        }
        if (guests.size() >= Guests.MOST) {
            answer(knock, new Pass.Denied("it has " + guests.size() + " guests, and no room for more"));
            return;
        }
        try {
            Link link = spare == null ? transport.invite() : spare;
            spare = null;
            answer(knock, invite(knock, link));
        } catch (TransportException e) {
            answer(knock, new Pass.Denied(String.valueOf(e.getMessage())));
        }
    }

    private Pass invite(Knock knock, Link link) {
        int number = Math.toIntExact(terms.numbers().getAsLong());
        ProcessPath path = switchboard.here().child(number);
        JobKey key = keys.register(number);
        HandshakeTerms agreed =
                new HandshakeTerms(Protocol.VERSION, switchboard.seat().program(), HandshakeTerms.Exposure.OPEN);
        Guest guest = new Guest(
                this,
                new Guest.Invitation(knock, number, path, conductor.nowNs() + WAY_LIMIT_NS),
                new MasterHandshake(agreed, keys, random));
        Peer peer = conductor.addPeer(link, guest);
        guest.connect(peer);
        guests.add(guest);
        return new Pass.Granted(
                new Seat(switchboard.seat().program(), path),
                object,
                new Ticket(link.address(), number, key),
                terms.house());
    }

    private static void answer(Knock knock, Pass pass) {
        knock.door().execute(() -> knock.answer(pass));
    }

    Switchboard switchboard() {
        return switchboard;
    }

    void countRefusal() {
        terms.refused().run();
    }

    /** A guest has gone, for whatever reason. */
    void forget(Guest guest, Knock knock, long number) {
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
