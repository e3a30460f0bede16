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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A link whose two ends have yet to authenticate themselves. It reads one frame at a time, because everything after the
 * handshake's last frame belongs to the user. Not thread-safe; belongs to the conductor.
 */
public final class LinkHandshake implements MasterHandshake.Owner, WorkerHandshake.Owner {

    /** No message of a handshake is this long. */
    private static final long STRANGER_LIMIT_BYTES = 1 << 16;

    private static final byte[] NO_SETTINGS = new byte[0];

    /**
     * What a handshake works with.
     *
     * @param proofLimitNs how long the other end may take to authenticate itself once it is there
     */
    record Parts(DirectLinks links, Link link, DirectLinks.Listener listener, Encoders encoders, long proofLimitNs) {}

    private final Parts parts;
    private final LinkInvitation invitation;
    private final BiConsumer<Message, LinkHandshake> reader;
    private final Outbox outbox;
    private final Inbox inbox;
    private @Nullable ConnectionKeys agreed;
    private boolean connected;
    private boolean over;
    private long proofEndNs;

    /** Creates one end; {@code reader} receives the messages of the other one. */
    LinkHandshake(Parts parts, LinkInvitation invitation, BiConsumer<Message, LinkHandshake> reader) {
        this.parts = parts;
        this.invitation = invitation;
        this.reader = reader;
        this.outbox = new Outbox(parts.link(), parts.encoders());
        this.inbox = new Inbox(this::take, STRANGER_LIMIT_BYTES);
    }

    /** Returns the invitation with which the other end can dial. */
    public LinkInvitation invitation() {
        return invitation;
    }

    /** Ends the handshake if it is not over, without notifying its listener. */
    public void cancel() {
        if (!over) {
            over = true;
            parts.link().close();
        }
    }

    @Override
    public void post(Outgoing message) {
        outbox.post(message);
    }

    @Override
    public MasterHandshake.Welcome admit() {
        return new MasterHandshake.Welcome(PayloadKey.random(new SecureRandom()), NO_SETTINGS);
    }

    /** Everything that was posted is sent before the link is handed over. */
    @Override
    public void onAccepted(ConnectionKeys keys) {
        agreed = keys;
    }

    @Override
    public void onAdmitted(Admission admission) {
        agreed = admission.keys();
    }

    @Override
    public void onFailed(HandshakeFailure failure) {
        refuse("its handshake failed: " + failure);
    }

    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        onFailed(failure);
    }

    boolean isOver() {
        return over;
    }

    @Override
    public void refuse(String reason) {
        if (!over) {
            cancel();
            parts.listener().onFailed(reason);
        }
    }

    private void take(Message message) {
        if (!over) {
            reader.accept(message, this);
        }
    }

    int doWork(long nowNs) {
        if (over) {
            return 0;
        }
        LinkState state = parts.link().state();
        if (state == LinkState.CONNECTING) {
            return 0;
        }
        if (state == LinkState.CLOSED) {
            refuse(parts.link().closeReason());
            return 1;
        }
        if (!connected) {
            connected = true;
            proofEndNs = nowNs + parts.proofLimitNs();
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
            refuse(refusal);
        } else if (keys != null && outbox.isEmpty()) {
            handOver(keys);
        } else if (nowNs - proofEndNs > 0) {
            refuse("the other end did not prove itself within " + TimeUnit.NANOSECONDS.toSeconds(parts.proofLimitNs())
                    + " s");
        }
        return sent;
    }

    private void handOver(ConnectionKeys keys) {
        over = true;
        Link link = parts.link();
        link.unwatch();
        DirectLink made = link.isConfined()
                ? new DirectLink(link, Optional.empty(), () -> {})
                : parts.links().ofNetwork(link, keys.seal(Protocol.USER_STREAM));
        parts.listener().onLinked(made);
    }
}
