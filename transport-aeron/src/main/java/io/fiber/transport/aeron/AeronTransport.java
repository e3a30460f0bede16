// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import io.fiber.transport.aeron.StaleDirectories.Witness;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Links over Aeron. One thread drives the media driver, its client and the clients of other processes' drivers with
 * {@link #doWork}.
 */
final class AeronTransport implements Transport {

    /**
     * After this many busy cycles in a row, a driver is making room for a sender; work that depends on its clock comes
     * in single cycles.
     */
    private static final int STEADY_CYCLES = 3;

    /**
     * Checking a thousand links takes 0.1 ms, so the end of one of them is noticed after 10 ms. With few links it is
     * noticed at once.
     */
    private static final long WATCH_NS_OF_A_LINK = 10_000;

    private final TransportSettings settings;
    private final TransportCounters counters = new TransportCounters();
    private final StreamGuard guard = new StreamGuard(counters);
    private final Invitations invitations;
    private final List<AeronLink> links = new ArrayList<>();
    private final List<ForeignDriver> foreign = new ArrayList<>();
    private volatile @Nullable OwnDriver own;
    private @Nullable TransportException failure;
    private boolean usesNetwork;
    private int cyclesDriven;
    private long watchedNs = System.nanoTime();
    private boolean isClosed;

    AeronTransport(TransportSettings settings) {
        this.settings = settings;
        this.invitations = new Invitations(settings);
    }

    @Override
    public Link invite(LinkUse use) {
        requireUsable();
        ForeignDriver guestOf = firstForeign();
        return guestOf == null ? inviteHere(use) : inviteAt(guestOf, use);
    }

    /**
     * Returns the driver by which this process was invited, if any. Peers reach this process through it, because every
     * peer that may use it is there already.
     */
    private @Nullable ForeignDriver firstForeign() {
        return foreign.isEmpty() || foreign.get(0).failure() != null ? null : foreign.get(0);
    }

    private Link inviteHere(LinkUse use) {
        OwnDriver node = ownDriver(AeronLink.Side.INVITING);
        DriverDirectory.requireRoom(node.directory(), neededBytes(use));
        AeronAddress address = invitations.through(node, use, promisedBytes());
        StreamPair streams;
        if (address instanceof AeronAddress.Ipc) {
            streams = new IpcStreams(node, address, AeronLink.Side.INVITING);
        } else {
            useNetwork();
            streams = new UdpStreams.Invited(node, address, invitations.endpoints(node), guard);
        }
        listen(node, streams);
        return add(new AeronLink(address, AeronLink.Side.INVITING, streams, counters));
    }

    /** The other process answers in its next cycle; if it refuses, the link closes. */
    private Link inviteAt(ForeignDriver node, LinkUse use) {
        DriverDirectory.requireRoom(Path.of(node.address().directory()), neededBytes(use));
        AeronAddress address = invitations.through(node, use, promisedBytes());
        StreamPair streams = new IpcStreams(node, address, AeronLink.Side.INVITING);
        streams.advance();
        return add(new AeronLink(address, AeronLink.Side.INVITING, streams, counters));
    }

    private Link add(AeronLink link) {
        links.add(link);
        return link;
    }

    /** Returns the room for this link's logs and for the logs that invited peers have not created yet. */
    private long neededBytes(LinkUse use) {
        return settings.terms(use).leastLinkBytes() + promisedBytes();
    }

    private long promisedBytes() {
        long bytes = 0;
        for (AeronLink link : links) {
            bytes += link.state() == LinkState.CONNECTING ? link.logBytes() : 0;
        }
        return bytes;
    }

    private static void listen(OwnDriver node, StreamPair streams) {
        long endNs = System.nanoTime() + TransportTimes.OWN_DRIVER_NS;
        try {
            while (!streams.isListening()) {
                streams.advance();
                node.invoke();
                if (System.nanoTime() - endNs > 0 || node.failure() != null) {
                    throw new TransportException(Kind.INTERNAL, "The media driver of this process does not answer.");
                }
            }
        } catch (TransportException e) {
            streams.release();
            throw e;
        } catch (RuntimeException e) {
            streams.release();
            boolean isSpace =
                    e instanceof RegistrationException refusal && refusal.errorCode() == ErrorCode.STORAGE_SPACE;
            throw new TransportException(
                    isSpace ? Kind.NO_ROOM : Kind.INTERNAL,
                    "The media driver refused to listen for a peer: " + e.getMessage(),
                    e);
        }
    }

    private void useNetwork() {
        if (!usesNetwork) {
            usesNetwork = true;
            SocketBuffers.of(settings.data().least())
                    .warnings()
                    .forEach(settings.context().listener()::onWarning);
        }
    }

    private OwnDriver ownDriver(AeronLink.Side firstUse) {
        OwnDriver node = own;
        if (node == null) {
            node = OwnDriver.launch(settings, guard, counters, firstUse);
            own = node;
        }
        return node;
    }

    @Override
    public Link dial(Address address) {
        requireUsable();
        AeronAddress parsed = AeronAddress.parse(address);
        StreamPair streams;
        if (parsed instanceof AeronAddress.Ipc ipc) {
            streams = new IpcStreams(driverAt(ipc), ipc, AeronLink.Side.DIALLING);
        } else {
            AeronAddress.Udp udp = (AeronAddress.Udp) parsed;
            if (own == null) {
                invitations.cameOverNetwork(udp);
            }
            useNetwork();
            streams = new UdpStreams.Dialled(ownDriver(AeronLink.Side.DIALLING), udp, guard);
        }
        return add(new AeronLink(parsed, AeronLink.Side.DIALLING, streams, counters)
                .withDialEnd(System.nanoTime() + settings.times().dialNs()));
    }

    private AeronNode driverAt(AeronAddress.Ipc address) {
        Path directory = Path.of(address.directory());
        address.identity().prove(directory, settings.context().directory());
        OwnDriver mine = own;
        if (mine != null && mine.directory().equals(directory)) {
            return mine;
        }
        for (ForeignDriver known : foreign) {
            if (known.address().directory().equals(address.directory()) && known.failure() == null) {
                return known;
            }
        }
        ForeignDriver attached = ForeignDriver.attach(address, settings.times(), counters);
        foreign.add(attached);
        return attached;
    }

    private void requireUsable() {
        TransportException lost = failure;
        if (lost != null) {
            throw new TransportException(
                    lost.kind(), "The transport can no longer be used: " + lost.getMessage(), lost);
        }
        if (isClosed) {
            throw new TransportException(Kind.UNUSABLE, "The transport was closed; create another one.");
        }
    }

    @Override
    public int doWork() {
        if (isClosed || failure != null) {
            return 0;
        }
        int driven = 0;
        OwnDriver node = own;
        if (node != null) {
            driven += node.invoke();
            if (node.failure() != null) {
                fail(node);
                return 1;
            }
        }
        for (int i = foreign.size() - 1; i >= 0; i--) {
            driven += driveForeign(foreign.get(i));
        }
        cyclesDriven = driven > 0 ? cyclesDriven + 1 : 0;
        boolean counts = cyclesDriven >= STEADY_CYCLES || isDrivingUrgent();
        return failure != null ? 1 : driveLinks() + (counts ? driven : 0);
    }

    /**
     * Returns whether drivers and clients do work for which a thread waits. Otherwise they do housekeeping by their
     * clocks, which must not keep this process from becoming idle. Frames in shared memory arrive without a driver. But
     * if processes fill one log after the other there, the driver must make room, in every cycle.
     */
    private boolean isDrivingUrgent() {
        if (usesNetwork) {
            return true;
        }
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).state() == LinkState.CONNECTING) {
                return true;
            }
        }
        return false;
    }

    private int driveForeign(ForeignDriver node) {
        int work = node.invoke();
        String lost = node.failure();
        if (lost == null) {
            return work;
        }
        if (!node.hasEndedInOrder() && hasOpenLinks(node)) {
            fail(node);
            return 1;
        }
        closeLinks(node, lost);
        return retire(node) ? 1 : work;
    }

    private int driveLinks() {
        int work = 0;
        long nowNs = System.nanoTime();
        boolean isWatching = nowNs - watchedNs >= WATCH_NS_OF_A_LINK * links.size();
        if (isWatching) {
            watchedNs = nowNs;
        }
        for (int i = links.size() - 1; i >= 0; i--) {
            AeronLink link = links.get(i);
            if (!isWatching && link.state() == LinkState.CONNECTED) {
                continue;
            }
            work += link.doWork(nowNs);
            if (link.state() == LinkState.CLOSED && !link.isInUse()) {
                links.remove(i);
                link.streams().release();
                if (link.streams().node() instanceof ForeignDriver node) {
                    retire(node);
                }
                work++;
            }
        }
        return work;
    }

    /** Closes the client of another process's driver once no link uses it. */
    private boolean retire(ForeignDriver node) {
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).streams().node() == node) {
                return false;
            }
        }
        foreign.remove(node);
        node.close();
        return true;
    }

    private boolean hasOpenLinks(AeronNode node) {
        for (int i = 0; i < links.size(); i++) {
            AeronLink link = links.get(i);
            if (link.streams().node() == node && link.state() != LinkState.CLOSED) {
                return true;
            }
        }
        return false;
    }

    private void closeLinks(AeronNode node, String reason) {
        for (int i = 0; i < links.size(); i++) {
            AeronLink link = links.get(i);
            if (link.streams().node() == node) {
                link.close(reason);
            }
        }
    }

    private void fail(AeronNode node) {
        String reason = String.valueOf(node.failure());
        TransportException lost = new TransportException(
                Kind.DRIVER_LOST,
                "Shared memory or network I/O has stopped: " + reason
                        + ". doWork() must be called, here and in the inviting process, at least every "
                        + settings.times().livenessMs() + " ms.");
        failure = lost;
        for (int i = 0; i < links.size(); i++) {
            links.get(i).close(reason);
        }
        settings.context().listener().onFailed(lost);
    }

    @Override
    public void removeRemains() {
        OwnDriver node = own;
        if (node != null) {
            boolean wereStartedHere = settings.context().callerHost().reach() == CallerHost.Reach.SAME_HOST;
            node.removeRemains(wereStartedHere ? Witness.NUMBER : Witness.NUMBER_AND_HEARTBEAT);
        }
    }

    @Override
    public Map<String, Long> counters() {
        return counters.snapshot();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        Shutdown.run(links, foreign, own);
        links.clear();
        foreign.clear();
        own = null;
    }
}
