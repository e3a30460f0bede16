// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.HeapShare;
import io.fiber.spi.transport.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cycle does with peers and duties: frames are read and written, and nothing is opened. Belongs to the thread that
 * has the conductor's turn.
 */
final class Exchange {

    /** At least this many cycles run in each lease. More notice its end sooner, and wake an idle process more often. */
    private static final int CYCLES_OF_A_LEASE = 20;
    /** The longest rest. Cycles are needed for more than leases, and a lease may be a day. */
    private static final long GREATEST_REST_NS = 5_000_000_000L;
    /** The shortest rest, unless a duty is urgent or something is due earlier. A cycle takes some 20 us. */
    private static final long TIMED_NS = 10_000_000;
    /** The shortest rest while a duty is urgent. */
    private static final long URGENT_NS = 1_000_000;
    /** While a duty is timed or urgent, or a link is full, the rest is a fiftieth of the silence, up to 100 ms. */
    private static final int SHARE_OF_SILENCE = 50;

    private static final long GREATEST_TIMED_NS = 100_000_000;

    private final long leaseNs;
    private final Peer.Shared shared;
    final List<Duty> duties = new ArrayList<>();
    final List<Peer> peers = new ArrayList<>();
    private final IdentityHashMap<Link, Peer> peersByLink = new IdentityHashMap<>();

    private long lastReadNs;
    /** When a cycle did something last. */
    long lastWorkNs;
    /** The longest time until the next cycle; 0 if one should follow at once. */
    long restNs;
    /** How many bytes were read so far. */
    long bytesRead;
    /** Whether frames wait because their link is full. */
    boolean isUnsent;
    /** Whether more has arrived than was read, and no channel will signal it. */
    private boolean isUnread;

    /** Whether another cycle should follow at once, even if it reads nothing. */
    boolean isFollowed;

    Exchange(Duration lease, long nowNs) {
        this.leaseNs = lease.toNanos();
        this.shared = new Peer.Shared(new Encoders(), HeapShare.ofHeap(), leaseNs);
        this.lastReadNs = nowNs;
        this.lastWorkNs = nowNs;
    }

    Duration lease() {
        return Duration.ofNanos(leaseNs);
    }

    Peer add(Link link, Peer.Listener listener) {
        Peer peer = new Peer(link, listener, shared);
        peers.add(peer);
        peersByLink.put(link, peer);
        return peer;
    }

    /** Begins a cycle that reads. If it comes late by more than a tenth of the lease, this process was silent, not its peers. */
    private void begin(long nowNs) {
        long delayNs = nowNs - lastReadNs;
        lastReadNs = nowNs;
        if (delayNs > leaseNs / 10) {
            peers.forEach(peer -> peer.extendLease(delayNs));
        }
    }

    /**
     * Reads peers, does the duties, and sends to peers; returns how much was done.
     *
     * @param found the links to read; null for all, and {@code NONE} for none
     */
    int run(long nowNs, Selection.@Nullable Ready found) {
        isFollowed = false;
        int work = 0;
        if (found != Selection.Ready.NONE) {
            begin(nowNs);
            work = found == null ? readAll(nowNs) : read(found, nowNs);
        }
        for (int i = duties.size() - 1; i >= 0; i--) {
            int done = i < duties.size() ? duties.get(i).doWork(nowNs) : 0;
            isFollowed |= done > 0;
            work += done;
        }
        work += sendAll(nowNs);
        if (work > 0) {
            lastWorkNs = nowNs;
        }
        restNs = isFollowed || isUnread ? 0 : restNs(nowNs);
        return work;
    }

    private int readAll(long nowNs) {
        int heard = 0;
        for (int i = peers.size() - 1; i >= 0; i--) {
            heard += read(peers.get(i), nowNs);
        }
        return heard;
    }

    /** Reads what is ready, and what the last cycle left. */
    private int read(Selection.Ready found, long nowNs) {
        int heard = 0;
        for (int i = peers.size() - 1; i >= 0; i--) {
            Peer peer = peers.get(i);
            if (peer.hasMore()) {
                heard += read(peer, nowNs);
            } else if (found.isCheckDue) {
                heard += peer.check(nowNs);
            }
        }
        for (int i = 0; i < found.links.size(); i++) {
            Peer peer = peersByLink.get(found.links.get(i));
            heard += peer == null ? 0 : read(peer, nowNs);
        }
        return heard;
    }

    private int read(Peer peer, long nowNs) {
        int heard = peer.receive(nowNs);
        bytesRead += peer.takeBytesRead();
        return heard;
    }

    /** Sends what was offered to peers, and forgets those that are closed. */
    private int sendAll(long nowNs) {
        int sent = 0;
        isUnsent = false;
        isUnread = false;
        for (int i = peers.size() - 1; i >= 0; i--) {
            Peer peer = peers.get(i);
            int frames = peer.send(nowNs);
            sent += frames;
            if (peer.isClosed()) {
                peers.remove(i);
                peersByLink.remove(peer.link());
                isFollowed = true;
            } else {
                isFollowed |= peer.hasRoomAgain() || (frames > 0 && !peer.isFlushed());
                isUnsent |= !peer.isFlushed();
                isUnread |= peer.hasMore();
            }
        }
        return sent;
    }

    /** Returns the time until something is due that nothing will signal. */
    private long restNs(long nowNs) {
        long leastNs = Math.min(GREATEST_REST_NS, leaseNs / CYCLES_OF_A_LEASE);
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            leastNs = peer.isFlushed() ? Math.min(leastNs, peer.restNs(nowNs)) : leastNs;
        }
        boolean isTimed = isUnsent;
        boolean isUrgent = false;
        for (int i = 0; i < duties.size(); i++) {
            isTimed |= duties.get(i).isTimed();
            isUrgent |= duties.get(i).isUrgent();
        }
        long silentNs = nowNs - lastWorkNs;
        // Short rests after activity: who has something to send need not wake the I/O thread if it wakes soon anyway.
        long longestNs = isTimed || isUrgent ? Math.min(GREATEST_TIMED_NS, silentNs / SHARE_OF_SILENCE) : silentNs;
        long shortestNs = isUrgent ? URGENT_NS : TIMED_NS;
        return Math.max(URGENT_NS, Math.min(leastNs, Math.max(shortestNs, longestNs)));
    }
}
