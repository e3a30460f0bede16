// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the addresses of links that this process invites, with their medium, ports and streams. Not thread-safe;
 * belongs to the thread that drives the transport.
 */
final class Invitations {

    private final TransportSettings settings;
    private final Set<Integer> usedStreams = new HashSet<>();
    private @Nullable Random random;
    private @Nullable UdpEndpoints endpoints;
    private AeronAddress.@Nullable Udp dialled;

    Invitations(TransportSettings settings) {
        this.settings = settings;
    }

    /** Records that this process reached its inviter over the network, so that its own peers do the same. */
    void cameOverNetwork(AeronAddress.Udp address) {
        if (dialled == null) {
            dialled = address;
        }
    }

    /**
     * Returns the address of a new link through the driver of another process on this host.
     *
     * @param promisedBytes what links will take that are not connected yet
     */
    AeronAddress through(ForeignDriver node, LinkUse use, long promisedBytes) {
        String directory = node.address().directory();
        return ipc(directory, node.address().identity(), shapeIn(Path.of(directory), use, promisedBytes));
    }

    /** Returns the address of a new link through the driver of this process. */
    AeronAddress through(OwnDriver node, LinkUse use, long promisedBytes) {
        CallerHost host = settings.context().callerHost();
        DirectoryIdentity identity = settings.mayShareMemory() && dialled == null ? node.identity() : null;
        if (identity != null) {
            return ipc(node.directory().toString(), identity, shapeIn(node.directory(), use, promisedBytes));
        }
        UdpEndpoints ports = endpoints(node);
        int mtu = ports.isLoopback() ? UdpEndpoints.LOOPBACK_MTU_BYTES : UdpEndpoints.SAFE_MTU_BYTES;
        String advertised = dialled == null ? host.advertised() : ports.host();
        LinkShape shape = LinkShape.bounded(settings.terms(use).least(), mtu).of(use);
        return new AeronAddress.Udp(advertised, ports.dataPort(), ports.controlPort(), newStream(), newStream(), shape);
    }

    private AeronAddress ipc(String directory, DirectoryIdentity identity, LinkShape shape) {
        return new AeronAddress.Ipc(directory, identity, newStream(), newStream(), shape);
    }

    private LinkShape shapeIn(Path directory, LinkUse use, long promisedBytes) {
        // Free space on a disk does not count.
        long usableBytes =
                directory.startsWith(DriverDirectory.SHARED_MEMORY) ? DriverDirectory.usableBytes(directory) : 0;
        int termLengthBytes = settings.terms(use).fitting(usableBytes - promisedBytes);
        return LinkShape.unfragmented(termLengthBytes).of(use);
    }

    /** Returns the ports of this process, which are bound when they are first needed. */
    UdpEndpoints endpoints(OwnDriver node) {
        UdpEndpoints bound = endpoints;
        if (bound == null) {
            AeronAddress.Udp inviter = dialled;
            InetAddress bind = inviter == null ? settings.context().callerHost().bind() : addressTowards(inviter);
            bound = UdpEndpoints.bind(node, settings.ports(), bind, random());
            endpoints = bound;
        }
        return bound;
    }

    /** Returns this host's address on the way to the inviter: peers that this host can reach can reach it there. */
    private static InetAddress addressTowards(AeronAddress.Udp inviter) {
        try {
            return UdpEndpoints.addressTowards(
                    new InetSocketAddress(InetAddress.getByName(inviter.host()), inviter.dataPort()));
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.NO_ROOM,
                    "This process cannot find the local address from which it reaches '" + inviter.host()
                            + "', and therefore cannot invite: " + e.getMessage() + ".",
                    e);
        }
    }

    /** Stream and session together are 64 random bits, which a stranger would have to guess. */
    private StreamId newStream() {
        Random source = random();
        int stream;
        do {
            stream = source.nextInt();
        } while (stream == 0 || !usedStreams.add(stream));
        return new StreamId(stream, source.nextInt());
    }

    /** The generator is created when needed, so that a process that only dials starts faster. */
    private Random random() {
        Random source = random;
        if (source == null) {
            source = new SecureRandom();
            random = source;
        }
        return source;
    }
}
