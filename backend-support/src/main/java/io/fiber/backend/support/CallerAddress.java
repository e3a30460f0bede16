// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.CallerHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;

/** Finds addresses of this host that jobs on other hosts may dial. */
public final class CallerAddress {

    private static final int ANY_PORT = 443;

    private CallerAddress() {}

    /** Returns a caller host with an address of this host that jobs dial. */
    public static CallerHost at(InetAddress address) {
        return new CallerHost(address, address.getHostAddress(), CallerHost.Reach.NETWORK);
    }

    /**
     * Returns a caller host with an address or name that the user has set. If it is not an address of this host, jobs
     * may still know it and reach this host by it, so this process listens at all its addresses.
     */
    public static CallerHost named(String name) {
        try {
            InetAddress address = InetAddress.getByName(name);
            return NetworkInterface.getByInetAddress(address) == null
                    ? everywhere(name)
                    : new CallerHost(address, name, CallerHost.Reach.NETWORK);
        } catch (IOException e) {
            return everywhere(name);
        }
    }

    /** Returns a caller host with a name that jobs dial, where this process listens at all its addresses. */
    public static CallerHost everywhere(String name) {
        try {
            return new CallerHost(InetAddress.getByAddress(new byte[4]), name, CallerHost.Reach.NETWORK);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the address of this host from which another one is reached. Nothing is sent: the system only says which
     * address it would use.
     *
     * @throws IOException if there is no route to that host
     */
    public static InetAddress towards(String host) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(InetAddress.getByName(host), ANY_PORT);
            return socket.getLocalAddress();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Returns the IPv4 addresses of this host's interfaces, without loopback and link-local ones. */
    public static List<InetAddress> own() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address)
                    .filter(address -> !address.isLoopbackAddress() && !address.isAnyLocalAddress())
                    .filter(address -> !address.isLinkLocalAddress())
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }
}
