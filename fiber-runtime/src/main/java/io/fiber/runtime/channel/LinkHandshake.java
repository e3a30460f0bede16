// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A link whose two ends have yet to prove themselves. Reads one frame at a time: what stands behind the last one of the
 * handshake belongs to the user. Belongs to the conductor.
 */
public abstract sealed class LinkHandshake {

    /** Nothing in a handshake is as long as this. */
    private static final long STRANGER_LIMIT_BYTES = 1 << 16;

    /** How long the other end may take to prove itself once it is there. */
    private static final long PROOF_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    /** What a meeting works with. */
    record Parts(DirectLinks links, Link link, DirectLinks.Listener listener, Encoders encoders) {}

    private final Parts parts;
    private final LinkInvitation invitation;
    private final Outbox outbox;
    private final Inbox inbox;
    private @Nullable ConnectionKeys agreed;
    private boolean connected;
    private boolean over;
    private long proofEndNs;

    private LinkHandshake(Parts parts, LinkInvitation invitation) {
        this.parts = parts;
        this.invitation = invitation;
        this.outbox = new Outbox(parts.link(), parts.encoders());
        this.inbox = new Inbox(this::take, STRANGER_LIMIT_BYTES);
    }

    /** Returns what lets the other end dial. */
    public final LinkInvitation invitation() {
        return invitation;
    }

    /** Ends it when it is not over; its listener is told nothing. */
    public final void cancel() {
        if (!over) {
            over = true;
            parts.link().close();
        }
    }

    abstract void onMessage(Message message);

    /** Sends a message of the handshake. */
    public final void post(Outgoing message) {
        outbox.post(message);
    }

    /** The handshake has gone well; what was posted leaves before the link is handed over. */
    final void agree(ConnectionKeys keys) {
        agreed = keys;
    }

    final boolean isOver() {
        return over;
    }

    final void fail(String reason) {
        if (!over) {
            cancel();
            parts.listener().onFailed(reason);
        }
    }

    private void take(Message message) {
        if (!over) {
            onMessage(message);
        }
    }

    final int doWork(long nowNs) {
        if (over) {
            return 0;
        }
        LinkState state = parts.link().state();
        if (state == LinkState.CONNECTING) {
            return 0;
        }
        if (state == LinkState.CLOSED) {
            fail(parts.link().closeReason());
            return 1;
        }
        if (!connected) {
            connected = true;
            proofEndNs = nowNs + PROOF_LIMIT_NS;
        }
        int work = 0;
        while (!over && agreed == null && parts.link().poll(inbox, 1) > 0) {
            work++;
        }
        return over ? 1 : work + flush(nowNs);
    }

    private int flush(long nowNs) {
        int sent = outbox.flush(nowNs, Long.MAX_VALUE);
        String fault = inbox.fault();
        String refusal = fault == null ? outbox.closeReason() : fault;
        ConnectionKeys keys = agreed;
        if (refusal != null) {
            fail(refusal);
        } else if (keys != null && outbox.isEmpty()) {
            handOver(keys);
        } else if (nowNs - proofEndNs > 0) {
            fail("the other end did not prove itself within " + TimeUnit.NANOSECONDS.toSeconds(PROOF_LIMIT_NS) + " s");
        }
        return sent;
    }

    private void handOver(ConnectionKeys keys) {
        over = true;
        Link link = parts.link();
        // Memory carries by itself, so that no thread need be told.
        DirectLink made = link.isConfined()
                ? new DirectLink(link, Optional.empty(), () -> {}, () -> {})
                : parts.links().ofNetwork(link, keys.seal(Protocol.USER_STREAM));
        parts.listener().onLinked(made);
    }

    /** The inviting end, which takes the part of the master. */
    static final class Inviting extends LinkHandshake implements MasterHandshake.Owner {

        private static final byte[] NO_SETTINGS = new byte[0];

        private final MasterHandshake handshake;

        Inviting(Parts parts, LinkInvitation invitation, MasterHandshake handshake) {
            super(parts, invitation);
            this.handshake = handshake;
        }

        @Override
        void onMessage(Message message) {
            handshake.onMessage(message, this);
        }

        @Override
        public MasterHandshake.Welcome admit() {
            return new MasterHandshake.Welcome(PayloadKey.random(new SecureRandom()), NO_SETTINGS);
        }

        @Override
        public void onAccepted(ConnectionKeys keys) {
            agree(keys);
        }

        /** Versions do not differ inside a program whose workers came through the same handshake. */
        @Override
        public void onOtherVersion(HandshakeFailure failure) {
            fail("its handshake failed: " + failure);
        }

        @Override
        public void refuse(String reason) {
            fail(reason);
        }
    }

    /** The dialling end, which takes the part of a worker. */
    static final class Dialing extends LinkHandshake implements WorkerHandshake.Owner {

        private final WorkerHandshake handshake;

        /** What it says first leaves once the other end is there. */
        Dialing(Parts parts, LinkInvitation invitation, WorkerHandshake handshake) {
            super(parts, invitation);
            this.handshake = handshake;
            handshake.begin(this);
        }

        @Override
        void onMessage(Message message) {
            if (!handshake.onMessage(message, this)) {
                fail("it sent message " + message.templateId() + " before it had proven itself");
            }
        }

        @Override
        public void onAdmitted(Admission admission) {
            agree(admission.keys());
        }

        @Override
        public void onFailed(HandshakeFailure failure) {
            fail("its handshake failed: " + failure);
        }
    }
}
