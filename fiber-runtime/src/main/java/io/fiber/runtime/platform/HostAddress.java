// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Comparator;
import java.util.Optional;

/**
 * Guesses an address of this host that other hosts of its network can reach. No other host is asked. A host with
 * several networks may need the setting.
 */
public final class HostAddress {

    private HostAddress() {}

    /**
     * Returns the address of this host's name, which is right in a pod, a container and on most compute nodes. If that
     * is the loopback address, returns the first other address of an interface that is up, IPv4 before IPv6; if there
     * is none, the loopback address. May block for the name service.
     */
    public static InetAddress reachable() {
        return ofName().or(HostAddress::ofInterface).orElseGet(InetAddress::getLoopbackAddress);
    }

    private static Optional<InetAddress> ofName() {
        try {
            return Optional.of(InetAddress.getLocalHost()).filter(HostAddress::isReachable);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<InetAddress> ofInterface() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(HostAddress::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(HostAddress::isReachable)
                    .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp() && !candidate.isLoopback();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isReachable(InetAddress address) {
        return !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isAnyLocalAddress()
                && !address.isMulticastAddress();
    }
}
