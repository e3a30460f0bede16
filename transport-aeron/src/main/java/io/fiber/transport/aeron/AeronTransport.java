// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Links over Aeron. One thread drives the media driver, its client and the clients of other processes' drivers from
 * {@link #doWork}.
 */
final class AeronTransport implements Transport {

    private final TransportSettings settings;
    private final TransportCounters counters = new TransportCounters();
    private final StreamGuard guard = new StreamGuard(counters);
    private final List<AeronLink> links = new ArrayList<>();
    private final Map<Path, ForeignDriver> foreignByDirectory = new HashMap<>();
    private final List<ForeignDriver> foreign = new ArrayList<>();
    private final Set<Integer> usedStreams = new HashSet<>();
    private @Nullable Random random;
    private @Nullable OwnDriver own;
    private @Nullable UdpEndpoints endpoints;
    private @Nullable TransportException failure;
    private boolean hasWarned;
    private boolean isClosed;

    AeronTransport(TransportSettings settings) {
        this.settings = settings;
    }

    @Override
    public Link invite() {
        requireUsable();
        OwnDriver node = ownDriver();
        DriverDirectory.requireRoom(node.directory(), neededBytes());
        AeronAddress address = newAddress(node);
        StreamPair streams = address instanceof AeronAddress.Ipc
                ? IpcStreams.inviting(node, address)
                : new InvitedUdpStreams(node, address, udpEndpoints(node), guard);
        listen(node, streams);
        AeronLink link = new AeronLink(address, AeronLink.Side.INVITING, streams, counters);
        links.add(link);
        return link;
    }

    /** Room for this link's logs, and for those which peers that were invited have not made yet. */
    private long neededBytes() {
        int waiting = 0;
        for (AeronLink link : links) {
            waiting += link.state() == LinkState.CONNECTING ? 1 : 0;
        }
        return (2L + waiting) * LinkShape.logBytes(settings.termLengthBytes());
    }

    private AeronAddress newAddress(OwnDriver node) {
        CallerHost host = settings.context().callerHost();
        StreamId in = newStream();
        StreamId out = newStream();
        boolean mayShareMemory = host.reach() == CallerHost.Reach.SAME_HOST && settings.media() == Media.AUTO;
        DirectoryIdentity identity = mayShareMemory ? node.identity() : null;
        if (identity != null) {
            LinkShape shape = LinkShape.unfragmented(settings.termLengthBytes());
            return new AeronAddress.Ipc(node.directory().toString(), identity, in, out, shape);
        }
        UdpEndpoints ports = udpEndpoints(node);
        int mtu = host.bind().isLoopbackAddress() ? UdpEndpoints.LOOPBACK_MTU_BYTES : UdpEndpoints.SAFE_MTU_BYTES;
        LinkShape shape = LinkShape.bounded(settings.termLengthBytes(), mtu);
        return new AeronAddress.Udp(host.advertised(), ports.dataPort(), ports.controlPort(), in, out, shape);
    }

    /** Stream and session together are 64 random bits that a stranger would have to guess. */
    private StreamId newStream() {
        Random source = random();
        int stream;
        do {
            stream = source.nextInt();
        } while (stream == 0 || !usedStreams.add(stream));
        return new StreamId(stream, source.nextInt());
    }

    /** Made when it is needed: a process that only dials starts faster without. */
    private Random random() {
        Random source = random;
        if (source == null) {
            source = new SecureRandom();
            random = source;
        }
        return source;
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
            throw Refusals.translate("The media driver refused to listen for a peer", e);
        }
    }

    private UdpEndpoints udpEndpoints(OwnDriver node) {
        UdpEndpoints bound = endpoints;
        if (bound == null) {
            warnOfSmallBuffers();
            bound = UdpEndpoints.bind(node, settings, random());
            endpoints = bound;
        }
        return bound;
    }

    private void warnOfSmallBuffers() {
        if (!hasWarned) {
            hasWarned = true;
            SocketBuffers.of(settings.termLengthBytes())
                    .warnings()
                    .forEach(settings.context().listener()::onWarning);
        }
    }

    private OwnDriver ownDriver() {
        OwnDriver node = own;
        if (node == null) {
            node = OwnDriver.launch(settings, guard, counters);
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
            streams = IpcStreams.dialling(foreignDriver(ipc), ipc);
        } else {
            warnOfSmallBuffers();
            streams = new DialledUdpStreams(ownDriver(), (AeronAddress.Udp) parsed, guard);
        }
        AeronLink link = new AeronLink(parsed, AeronLink.Side.DIALLING, streams, counters)
                .withDialEnd(System.nanoTime() + settings.times().dialNs());
        links.add(link);
        return link;
    }

    private ForeignDriver foreignDriver(AeronAddress.Ipc address) {
        Path directory = Path.of(address.directory());
        address.identity().prove(directory, settings.context().directory());
        ForeignDriver known = foreignByDirectory.get(directory);
        if (known != null && known.failure() == null) {
            return known;
        }
        ForeignDriver attached = ForeignDriver.attach(directory, settings.times(), counters);
        foreignByDirectory.put(directory, attached);
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
        int work = 0;
        OwnDriver node = own;
        if (node != null) {
            work += node.invoke();
            if (node.failure() != null) {
                fail(node);
                return 1;
            }
        }
        for (int i = foreign.size() - 1; i >= 0; i--) {
            work += driveForeign(foreign.get(i));
        }
        return failure != null ? 1 : work + driveLinks();
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
        for (int i = links.size() - 1; i >= 0; i--) {
            AeronLink link = links.get(i);
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

    /** Lets go of another process's driver when no link uses it any more. */
    private boolean retire(ForeignDriver node) {
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).streams().node() == node) {
                return false;
            }
        }
        foreign.remove(node);
        foreignByDirectory.values().remove(node);
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
                        + ". Expected doWork() to be called, here and in the process that invited, more often than every "
                        + settings.times().livenessMs() + " ms.");
        failure = lost;
        for (int i = 0; i < links.size(); i++) {
            links.get(i).close(reason);
        }
        settings.context().listener().onFailed(lost);
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
        foreignByDirectory.clear();
        own = null;
    }
}
