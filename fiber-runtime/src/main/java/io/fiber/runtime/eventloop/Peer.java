// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.HeapShare;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import java.time.Duration;

/**
 * One process at the other end of a link: what is sent to it and read from it, and whether it lives. Belongs to the
 * conductor.
 */
public final class Peer {

    private static final int FRAMES_PER_CYCLE = 64;

    private static final int HEARTBEATS_PER_LEASE = 10;
    /** The longest time between two. Firewalls forget a silent connection after minutes, and a lease may be a day. */
    private static final long GREATEST_HEARTBEAT_NS = 10_000_000_000L;
    /** A cycle that runs anyway sends a heartbeat this much earlier, so that those of many peers leave together. */
    private static final int EARLIER_PERCENT = 25;

    /** Before a peer has shown its key nothing it sends is longer than this. */
    private static final long STRANGER_LIMIT_BYTES = 1 << 20;

    public interface Listener {
        /** Takes a message; valid only during the call. */
        void onMessage(Peer peer, Message message);

        /** Takes the news that the peer is gone, once; {@code reason} is for a person. */
        void onGone(Peer peer, String reason);
    }

    private final Link link;
    private final Listener listener;
    private final Outbox outbox;
    private final Inbox inbox;
    private long leaseNs;
    private boolean connected;
    private boolean trusted;
    private boolean closed;
    /** Whether a message was refused, and its sender has not been told since that there is room. */
    private boolean refused;

    private boolean hasMore;
    private long lastHeardNs;
    /** How many messages of the last read were heartbeats. */
    private int heartbeats;

    /** What the peers of a process have in common. */
    record Shared(Encoders encoders, HeapShare heap, long leaseNs) {}

    Peer(Link link, Listener listener, Shared shared) {
        this.link = link;
        this.listener = listener;
        this.leaseNs = shared.leaseNs();
        this.outbox = new Outbox(link, shared.encoders());
        this.inbox = new Inbox(this::onMessage, STRANGER_LIMIT_BYTES, shared.heap());
    }

    /** An exception closes the link of this peer and no other one. A lack of memory or stack ends the conductor. */
    private void onMessage(Message message) {
        if (closed) {
            return;
        }
        if (message.templateId() == HeartbeatDecoder.TEMPLATE_ID) {
            heartbeats++;
        }
        try {
            listener.onMessage(this, message);
        } catch (VirtualMachineError | Message.TooShort e) {
            throw e;
        } catch (Throwable e) {
            Logs.of(Peer.class)
                    .log(
                            System.Logger.Level.ERROR,
                            "Message " + message.templateId() + " of a peer could not be handled; its link is closed.",
                            e);
            close("Its message " + message.templateId() + " could not be handled: " + e);
        }
    }

    public Link link() {
        return link;
    }

    /** Sends a message; returns false if the peer is closed, or the way is full, and it should be offered again. */
    public boolean offer(Outgoing message) {
        boolean taken = !closed && outbox.offer(message);
        refused |= !taken;
        return taken;
    }

    /** Returns true, once after a refusal, when there is room. */
    boolean hasRoomAgain() {
        boolean again = refused && outbox.isEmpty();
        refused &= !again;
        return again;
    }

    long takeBytesRead() {
        return inbox.takeBytes();
    }

    /** Sends a short message that must not be refused. */
    public void post(Outgoing message) {
        if (!closed) {
            outbox.post(message);
        }
    }

    public boolean isFlushed() {
        return outbox.isEmpty();
    }

    /**
     * Both ends have proven themselves: frames are sealed from now on where others can reach the link, and users' payloads
     * are believed.
     */
    public void onProven(ConnectionKeys keys) {
        if (link.isConfined()) {
            trust(Protocol.PAYLOAD_LIMIT_BYTES);
        } else {
            onProvenInTheOpen(keys);
        }
    }

    /** As {@link #onProven}, with a peer of another program: frames are sealed on any link. */
    public void onProvenInTheOpen(ConnectionKeys keys) {
        HeaderSeal seal = keys.seal(Protocol.CONDUCTOR_STREAM);
        outbox.sealWith(seal);
        openWith(seal);
        trust(Protocol.PAYLOAD_LIMIT_BYTES);
    }

    /** Sets how long it may be silent; heartbeats to it follow from that. */
    public void agreeOn(Duration lease) {
        leaseNs = lease.toNanos();
    }

    /** Believes no payload until it has proven itself: any stranger may be at the other end. */
    public void distrust() {
        inbox.limit(0);
    }

    /** Takes only sealed frames from now on. */
    void openWith(HeaderSeal seal) {
        inbox.openWith(seal);
    }

    /** The peer has shown its key: it may send payloads up to {@code limitBytes}, and gets heartbeats. */
    public void trust(long limitBytes) {
        trusted = true;
        inbox.limit(limitBytes);
    }

    /** Returns whether it sent something other than a frame, or a frame without the seal of its key. */
    public boolean hasSentFault() {
        return inbox.fault() != null;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Closes the link; the listener is told, once. */
    public void close(String reason) {
        if (!closed) {
            closed = true;
            inbox.close();
            link.close();
            Faults.conducted(
                    Peer.class, "The end of a link could not be handled.", () -> listener.onGone(this, reason));
        }
    }

    /** Reads what has arrived, until nothing is left; used when the peer is known to have ended. */
    public void drain(long nowNs) {
        while (!closed && read(nowNs) > 0) {
            lastHeardNs = nowNs;
        }
    }

    /** Returns whether the last read reached its limit: more may have arrived, and no channel will signal it. */
    boolean hasMore() {
        return hasMore;
    }

    /** Returns after how long something is due: a heartbeat, or the end of its lease. */
    long restNs(long nowNs) {
        if (closed || !connected) {
            return Long.MAX_VALUE;
        }
        long leaseLeftNs = lastHeardNs + leaseNs - nowNs;
        return trusted ? Math.min(leaseLeftNs, outbox.restNs(nowNs, heartbeatNs())) : leaseLeftNs;
    }

    private long heartbeatNs() {
        return Math.min(GREATEST_HEARTBEAT_NS, leaseNs / HEARTBEATS_PER_LEASE);
    }

    void extendLease(long delayNs) {
        lastHeardNs += delayNs;
    }

    /** Reads what has arrived; returns above 0 if something was done. Heartbeats do not count. */
    int receive(long nowNs) {
        return Math.max(0, read(nowNs) - heartbeats);
    }

    private int read(long nowNs) {
        heartbeats = 0;
        hasMore = false;
        if (closed) {
            return 0;
        }
        int frames = link.poll(inbox, FRAMES_PER_CYCLE);
        hasMore = frames == FRAMES_PER_CYCLE && !closed;
        if (closed) {
            return frames;
        }
        if (frames > 0) {
            String fault = inbox.fault();
            if (fault != null) {
                close(fault);
                return 1;
            }
            lastHeardNs = nowNs;
            return frames;
        }
        return check(nowNs);
    }

    /** Finds out, without reading, whether the peer has arrived or is gone; returns above 0 if so. */
    int check(long nowNs) {
        LinkState state = link.state();
        if (closed) {
            return 0;
        } else if (state == LinkState.CLOSED) {
            close(link.closeReason());
            return 1;
        } else if (state == LinkState.CONNECTED && !connected) {
            connected = true;
            lastHeardNs = nowNs;
            return 1;
        } else if (connected && nowNs - lastHeardNs > leaseNs) {
            close("It was silent for more than " + leaseNs / 1_000_000 + " ms.");
            return 1;
        }
        return 0;
    }

    int send(long nowNs) {
        if (closed || !connected) {
            return 0;
        }
        int sent = outbox.flush(nowNs, trusted ? heartbeatNs() * (100 - EARLIER_PERCENT) / 100 : Long.MAX_VALUE);
        String refusal = outbox.closeReason();
        if (refusal != null) {
            close(refusal);
        }
        return sent;
    }
}
