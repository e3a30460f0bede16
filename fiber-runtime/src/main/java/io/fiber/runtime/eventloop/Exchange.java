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

    /** How many cycles a lease has, whatever happens; twice as many as would be taken for late ones. */
    private static final int CYCLES_OF_A_LEASE = 20;
    /** How long no cycle need follow while something has a time limit. A cycle takes some 20 us. */
    private static final long TIMED_NS = 10_000_000;
    /** The same if nothing has happened for long, of which this is at most a share. */
    private static final long GREATEST_TIMED_NS = 100_000_000;

    private static final int SHARE_OF_SILENCE = 50;
    /** The same for what nothing signals, and the shortest rest. */
    private static final long URGENT_NS = 1_000_000;

    private final long leaseNs;
    private final Peer.Shared shared;
    final List<Duty> duties = new ArrayList<>();
    final List<Peer> peers = new ArrayList<>();
    private final IdentityHashMap<Link, Peer> peersByLink = new IdentityHashMap<>();
    /** Peers of which more has arrived than is read in a cycle. */
    private final List<Peer> unread = new ArrayList<>();

    private long lastCycleNs;
    /** When a cycle has done something last. */
    long lastWorkNs;
    /** How long no cycle need follow the last one, if nothing comes. */
    long restNs;
    /** How many bytes were read so far. */
    long bytesRead;
    /** Whether frames wait because their link is full. */
    boolean isUnsent;

    private boolean isFollowed;

    Exchange(Duration lease, long nowNs) {
        this.leaseNs = lease.toNanos();
        this.shared = new Peer.Shared(new Encoders(), HeapShare.ofHeap(), leaseNs);
        this.lastCycleNs = nowNs;
        this.lastWorkNs = nowNs;
    }

    Peer add(Link link, Peer.Listener listener) {
        Peer peer = new Peer(link, listener, shared);
        peers.add(peer);
        peersByLink.put(link, peer);
        return peer;
    }

    /** Begins a cycle. A late one is no silence of the peers; what a lease's tenth or less costs is noise. */
    void begin(long nowNs) {
        long delayNs = nowNs - lastCycleNs;
        lastCycleNs = nowNs;
        if (delayNs > leaseNs / 10) {
            peers.forEach(peer -> peer.extendLease(delayNs));
        }
    }

    /**
     * Reads peers, does the duties, and sends to peers; returns how much was done.
     *
     * @param found the links to read; null for all
     */
    int run(long nowNs, Selection.@Nullable Ready found) {
        isFollowed = false;
        int work = found == null ? readAll(nowNs) : read(found, nowNs);
        for (int i = duties.size() - 1; i >= 0; i--) {
            int done = i < duties.size() ? duties.get(i).doWork(nowNs) : 0;
            isFollowed |= done > 0;
            work += done;
        }
        work += sendAll(nowNs);
        if (work > 0) {
            lastWorkNs = nowNs;
        }
        isFollowed |= !unread.isEmpty();
        restNs = isFollowed ? 0 : restNs(nowNs);
        return work;
    }

    private int readAll(long nowNs) {
        unread.clear();
        int heard = 0;
        for (int i = peers.size() - 1; i >= 0; i--) {
            heard += read(peers.get(i), nowNs);
        }
        return heard;
    }

    private int read(Selection.Ready found, long nowNs) {
        int heard = 0;
        if (found != Selection.Ready.NONE) {
            for (int left = unread.size(); left > 0; left--) {
                heard += read(unread.remove(0), nowNs);
            }
        }
        for (int i = 0; i < found.links.size(); i++) {
            Peer peer = peersByLink.get(found.links.get(i));
            heard += peer == null ? 0 : read(peer, nowNs);
        }
        for (int i = found.isCheckDue ? peers.size() - 1 : -1; i >= 0; i--) {
            heard += peers.get(i).check(nowNs);
        }
        return heard;
    }

    private int read(Peer peer, long nowNs) {
        int heard = peer.receive(nowNs);
        bytesRead += peer.takeBytesRead();
        if (peer.hasMore()) {
            unread.add(peer);
        }
        return heard;
    }

    /** Sends what was offered to peers, and forgets those that are closed. */
    private int sendAll(long nowNs) {
        int sent = 0;
        isUnsent = false;
        for (int i = peers.size() - 1; i >= 0; i--) {
            Peer peer = peers.get(i);
            int frames = peer.send(nowNs);
            sent += frames;
            if (peer.isClosed()) {
                peers.remove(i);
                peersByLink.remove(peer.link());
                unread.remove(peer);
                isFollowed = true;
            } else {
                isFollowed |= peer.hasRoomAgain() || (frames > 0 && !peer.isFlushed());
                isUnsent |= !peer.isFlushed();
            }
        }
        return sent;
    }

    /** Returns how long nothing is due but what channels and other threads tell. */
    private long restNs(long nowNs) {
        long leastNs = leaseNs / CYCLES_OF_A_LEASE;
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            leastNs = peer.isFlushed() ? Math.min(leastNs, peer.restNs(nowNs)) : leastNs;
        }
        boolean isTimed = isUnsent;
        for (int i = 0; i < duties.size(); i++) {
            isTimed |= duties.get(i).isTimed();
            leastNs = duties.get(i).isUrgent() ? Math.min(leastNs, URGENT_NS) : leastNs;
        }
        // A rest that grows with the silence spares a busy process the wake-up of a thread that rests too long.
        long silentNs = nowNs - lastWorkNs;
        long longestNs = isTimed ? Math.min(GREATEST_TIMED_NS, silentNs / SHARE_OF_SILENCE) : silentNs;
        return Math.max(URGENT_NS, Math.min(leastNs, Math.max(TIMED_NS, longestNs)));
    }
}
