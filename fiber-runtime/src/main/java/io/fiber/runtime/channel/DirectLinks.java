// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The direct links of one process while they are being established. Not thread-safe; belongs to the conductor. Its own
 * thread does everything that may open files or sockets.
 */
public final class DirectLinks implements Duty {

    /** How long the other end of a link may take to authenticate itself, unless the lease is longer. */
    private static final long LEAST_PROOF_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final String program;
    private final Transport transport;
    private final SecureRandom random = new SecureRandom();
    private final Encoders encoders = new Encoders();
    private final List<LinkHandshake> meetings = new ArrayList<>();
    private final long proofLimitNs;
    private final Runnable drive;
    private long lastNumber;

    /**
     * Creates the links of a process.
     *
     * @param program name of the program's root session, which both ends of a link must share
     * @param transport the transport by which this process can be reached
     * @param lease how long a process may be silent
     * @param drive run in any thread when something was sent over the network
     */
    public DirectLinks(String program, Transport transport, Duration lease, Runnable drive) {
        this.drive = drive;
        this.proofLimitNs = Math.max(LEAST_PROOF_LIMIT_NS, lease.toNanos());
        this.program = program;
        this.transport = transport;
    }

    /** Receives the result for a link, once, in the conductor. */
    public interface Listener {
        /** Both ends have authenticated themselves; the link belongs to the listener from now on. */
        void onLinked(DirectLink link);

        /** The link will not be established; {@code reason} is for people to read. */
        void onFailed(String reason);
    }

    /**
     * Invites the process that receives the invitation.
     *
     * @throws TransportException if the transport cannot listen
     */
    public LinkHandshake invite(Listener listener) {
        Link link = transport.invite(LinkUse.DATA);
        long number = ++lastNumber;
        JobKey key = JobKey.random(random);
        LinkInvitation invitation = new LinkInvitation(link.address(), number, key);
        MasterHandshake handshake = new MasterHandshake(terms(link, number), key, random);
        return begin(new LinkHandshake(parts(link, listener), invitation, handshake::onMessage));
    }

    /**
     * Dials the process that sent an invitation.
     *
     * @throws TransportException if its address cannot be used from here
     */
    public LinkHandshake dial(LinkInvitation invitation, Listener listener) {
        Link link = transport.dial(invitation.address());
        WorkerHandshake handshake = new WorkerHandshake(terms(link, invitation.number()), invitation.key(), random);
        LinkHandshake made = new LinkHandshake(parts(link, listener), invitation, (message, owner) -> {
            if (!handshake.onMessage(message, owner)) {
                owner.refuse("it sent message " + message.templateId() + " before it had authenticated itself");
            }
        });
        // Its first message is sent once the other end is there.
        handshake.begin(made);
        return begin(made);
    }

    private LinkHandshake begin(LinkHandshake begun) {
        meetings.add(begun);
        return begun;
    }

    private LinkHandshake.Parts parts(Link link, Listener listener) {
        return new LinkHandshake.Parts(this, link, listener, encoders, proofLimitNs);
    }

    private HandshakeTerms terms(Link link, long number) {
        return HandshakeTerms.of(program, number, link.isConfined());
    }

    /** Returns a link over the network. What is sent there may leave only when the transport is driven. */
    DirectLink ofNetwork(Link link, HeaderSeal seal) {
        return new DirectLink(link, Optional.of(seal), drive);
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (int i = meetings.size() - 1; i >= 0; i--) {
            LinkHandshake current = meetings.get(i);
            work += current.doWork(nowNs);
            if (current.isOver()) {
                meetings.remove(current);
                work++;
            }
        }
        return work;
    }

    @Override
    public boolean isTimed() {
        return !meetings.isEmpty();
    }

    @Override
    public void onClose() {
        List.copyOf(meetings).forEach(waiting -> waiting.refuse("this process ends"));
        meetings.clear();
    }
}
