// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.CallerHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Finds the address of this process that pods can dial. */
final class MasterAddress {

    private static final int ANY_PORT = 443;

    private MasterAddress() {}

    /**
     * Returns the address that the user named; else this pod's own; else the one from which the API server is reached,
     * or the only one that this host has.
     *
     * @throws BackendException FBR-175 when none of them can be dialled by pods
     */
    static CallerHost find(Cluster cluster, KubernetesOptions options, Optional<OwnPod> pod) {
        if (options.address().isPresent()) {
            return named(options.address().get());
        }
        return pod.flatMap(OwnPod::ip)
                .map(MasterAddress::named)
                .or(() ->
                        towards(cluster.url()).filter(MasterAddress::isDialled).map(MasterAddress::at))
                .or(MasterAddress::only)
                .orElseThrow(
                        () -> new BackendException("FBR-175 It is not known by which address pods reach this process:"
                                + " the API server at " + cluster.url()
                                + " is reached from this host's loopback, and this host has"
                                + " the addresses " + own()
                                + ". Name the one that pods reach by fiber.kubernetes.address."));
    }

    private static CallerHost named(String name) {
        try {
            InetAddress address = InetAddress.getByName(name);
            return NetworkInterface.getByInetAddress(address) == null
                    ? everywhere(name)
                    : new CallerHost(address, name, CallerHost.Reach.NETWORK);
        } catch (IOException e) {
            // Pods may know a name that this host does not.
            return everywhere(name);
        }
    }

    private static CallerHost everywhere(String name) {
        try {
            return new CallerHost(InetAddress.getByAddress(new byte[4]), name, CallerHost.Reach.NETWORK);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CallerHost at(InetAddress address) {
        return new CallerHost(address, address.getHostAddress(), CallerHost.Reach.NETWORK);
    }

    /** Nothing is sent: the system only says which address it would send from. */
    private static Optional<InetAddress> towards(String url) {
        String host = URI.create(url).getHost();
        if (host == null) {
            return Optional.empty();
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(InetAddress.getByName(host.replace("[", "").replace("]", "")), ANY_PORT);
            return Optional.of(socket.getLocalAddress());
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private static boolean isDialled(InetAddress address) {
        return !address.isLoopbackAddress() && !address.isAnyLocalAddress();
    }

    private static Optional<CallerHost> only() {
        List<InetAddress> own = own();
        return own.size() == 1 ? Optional.of(at(own.get(0))) : Optional.empty();
    }

    private static List<InetAddress> own() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address)
                    .filter(address -> isDialled(address) && !address.isLinkLocalAddress())
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }
}
