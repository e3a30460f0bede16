// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.CallerAddress;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the address of this host that jobs can dial. A host's name is no help: nodes may resolve it to an address of
 * another network, or to themselves. What reaches the controller is in the cluster's network.
 */
final class MasterAddress {

    private static final Pattern HOST = Pattern.compile("([^(]+)\\(([^)]+)\\)");

    private MasterAddress() {}

    /**
     * Returns the address of the interface that the user named, or of the way to the login node or the controller.
     *
     * @param host from which Slurm is used
     * @throws BackendException when there is none
     */
    static CallerHost find(SiteOptions site, Slurm slurm, BatchHost host) {
        InetAddress address = site.networkInterface().isPresent()
                ? ofInterface(site.networkInterface().get())
                : towards(host.nearest()
                        .orElseGet(() -> controller(slurm.settings().getOrDefault("SlurmctldHost", ""))));
        return CallerAddress.at(address);
    }

    /** Returns the address in {@code name(address)}, or the name. */
    static String controller(String setting) {
        Matcher host = HOST.matcher(setting);
        return host.matches() ? host.group(2) : setting;
    }

    private static InetAddress towards(String controller) {
        try {
            return CallerAddress.towards(controller);
        } catch (IOException e) {
            throw new BackendException(
                    "FBR-134 There is no way to '" + controller
                            + "', so the address for jobs to dial is unknown: " + e
                            + ". Name the interface by fiber.slurm.interface.",
                    e);
        }
    }

    private static InetAddress ofInterface(String name) {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            List<NetworkInterface> all = Collections.list(NetworkInterface.getNetworkInterfaces());
            if (found == null) {
                throw new BackendException("FBR-134 There is no network interface '" + name
                        + "' (from fiber.slurm.interface). This host has "
                        + all.stream().map(NetworkInterface::getName).sorted().toList() + ".");
            }
            List<InetAddress> addresses = Collections.list(found.getInetAddresses());
            return addresses.stream()
                    .filter(Inet4Address.class::isInstance)
                    .findFirst()
                    .or(() -> addresses.stream().findFirst())
                    .orElseThrow(() -> new BackendException("FBR-134 The network interface '" + name
                            + "' (from fiber.slurm.interface) has no address. Name another one."));
        } catch (SocketException e) {
            throw new BackendException("FBR-134 The network interface '" + name + "' cannot be read: " + e, e);
        }
    }
}
