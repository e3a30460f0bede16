// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Network;
import io.fiber.backend.support.CallerAddress;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of this process that containers can dial. On Docker's host, this is the gateway of their network,
 * because answers from another address of the host are not recognized. A program that is itself a container of the
 * network has an address in it.
 */
final class MasterAddress {

    private static final String HOST_NETWORK = "host";
    private static final String ADVICE =
            "Run the program on Docker's host or in a container of that network, or set fiber.docker.address to an"
                    + " address that containers can reach.";
    private static final String ROOTLESS_ADVICE =
            "Docker is rootless, so its networks are not this host's, and this host has no route to the outside: set"
                    + " fiber.docker.address to one of its addresses that containers can reach.";

    /** An address of TEST-NET-1 (RFC 5737), never contacted; the route to it shows the way out of this host. */
    private static final String ANOTHER_HOST = "192.0.2.1";

    private static final String DESKTOP_NAME = "host.docker.internal";
    private static final Set<String> SCHEMES = Set.of("tcp", "http", "https");

    private MasterAddress() {}

    /**
     * Returns the user's address, or the one that fits the network and the daemon.
     *
     * @throws BackendException FBR-164 if there is none
     */
    static CallerHost find(Engine engine, DockerOptions options, Info daemon) {
        Optional<Network> network = network(engine, options.network());
        if (options.address().isPresent()) {
            return CallerAddress.named(options.address().get());
        }
        if (options.network().equals(HOST_NETWORK) && !DockerOptions.isRootless(daemon)) {
            return CallerAddress.at(towardsDaemon(engine.url()).orElse(InetAddress.getLoopbackAddress()));
        }
        return guess(engine.url(), network, daemon, OwnContainer.id())
                .orElseThrow(() -> new BackendException("FBR-164 This process has no address in Docker's network '"
                        + options.network() + "' ("
                        + network.map(MasterAddress::subnets).orElse("no subnet")
                        + "), neither its gateway nor one of its own, so containers cannot dial it. "
                        + (DockerOptions.isRootless(daemon) ? ROOTLESS_ADVICE : ADVICE)));
    }

    /**
     * Returns the address that fits; empty if this process has none. Networks of a daemon elsewhere may have the same addresses as this host's own networks. So may those of a
     * rootless daemon, whose gateways are in a namespace of its own. Such networks say only something about the
     * daemon's containers.
     *
     * @param own id of the container in which this process runs
     */
    static Optional<CallerHost> guess(String url, Optional<Network> network, Info daemon, Optional<String> own) {
        boolean elsewhere = isElsewhere(url);
        boolean rootless = DockerOptions.isRootless(daemon);
        Optional<CallerHost> here = elsewhere || rootless
                ? network.flatMap(each -> own.flatMap(id -> ofContainer(each, id)))
                : network.flatMap(MasterAddress::inNetwork)
                        .or(() -> isDesktop(daemon)
                                ? Optional.of(CallerAddress.everywhere(DESKTOP_NAME))
                                : Optional.empty());
        return here.or(
                () -> (rootless && !elsewhere ? towards(ANOTHER_HOST) : towardsDaemon(url)).map(CallerAddress::at));
    }

    private static Optional<CallerHost> ofContainer(Network network, String id) {
        Network.ContainerNetworkConfig container =
                network.getContainers() == null ? null : network.getContainers().get(id);
        String address = container == null ? null : container.getIpv4Address();
        return address == null || address.isEmpty()
                ? Optional.empty()
                : ownAddress(address.split("/", 2)[0]).map(CallerAddress::at);
    }

    private static Optional<Network> network(Engine engine, String name) {
        if (name.startsWith("container:") || name.equals("none")) {
            throw new BackendException("FBR-164 The network '" + name
                    + "' (from fiber.docker.network) cannot carry a worker's messages. Name a bridge; 'docker network"
                    + " ls'"
                    + " lists them.");
        }
        try {
            return Optional.of(engine.ask(
                    docker -> docker.inspectNetworkCmd().withNetworkId(name).exec()));
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-164 The network '" + name + "' (from fiber.docker.network) "
                            + (e.isNotFound() ? "does not exist: " : "cannot be inspected: ") + e.words()
                            + ". 'docker network ls' lists the networks"
                            + (e.isNotFound() ? "; 'docker network create " + name + "' makes it." : "."),
                    e);
        }
    }

    private static Optional<CallerHost> inNetwork(Network network) {
        for (Network.Ipam.Config part : parts(network)) {
            Optional<CallerHost> found = gateway(part).or(() -> ownAddressIn(part));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static List<Network.Ipam.Config> parts(Network network) {
        Network.Ipam addresses = network.getIpam();
        List<Network.Ipam.Config> parts = addresses == null ? null : addresses.getConfig();
        return parts == null ? List.of() : parts;
    }

    private static String subnets(Network network) {
        return parts(network).stream()
                .map(Network.Ipam.Config::getSubnet)
                .filter(Objects::nonNull)
                .toList()
                .toString();
    }

    private static Optional<CallerHost> gateway(Network.Ipam.Config part) {
        String gateway = part.getGateway();
        if (gateway == null || gateway.contains(":")) {
            return Optional.empty();
        }
        return ownAddress(gateway.split("/", 2)[0]).map(CallerAddress::at);
    }

    /** Returns an address if it belongs to this process. */
    private static Optional<InetAddress> ownAddress(String text) {
        try {
            InetAddress address = InetAddress.getByName(text);
            return NetworkInterface.getByInetAddress(address) == null ? Optional.empty() : Optional.of(address);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<CallerHost> ownAddressIn(Network.Ipam.Config part) {
        String subnet = part.getSubnet();
        if (subnet == null || subnet.contains(":") || !subnet.contains("/")) {
            return Optional.empty();
        }
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InterfaceAddress own : each.getInterfaceAddresses()) {
                    if (own.getAddress() instanceof Inet4Address && isIn(own.getAddress(), subnet)) {
                        return Optional.of(CallerAddress.at(own.getAddress()));
                    }
                }
            }
            return Optional.empty();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    /** Returns whether an IPv4 address is in a subnet such as {@code 172.18.0.0/16}. */
    static boolean isIn(InetAddress address, String subnet) {
        String[] parts = subnet.split("/", 2);
        try {
            int mask = maskOf(Integer.parseInt(parts[1]));
            return (number(address) & mask) == (number(InetAddress.getByName(parts[0])) & mask);
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    private static int maskOf(int bits) {
        return bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
    }

    private static int number(InetAddress address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    private static boolean isDesktop(Info daemon) {
        return String.valueOf(daemon.getOperatingSystem())
                .toLowerCase(Locale.ROOT)
                .contains("desktop");
    }

    private static Optional<InetAddress> towardsDaemon(String url) {
        return Optional.ofNullable(hostOf(url)).flatMap(MasterAddress::towards);
    }

    private static Optional<InetAddress> towards(String host) {
        try {
            return Optional.of(CallerAddress.towards(host));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isElsewhere(String url) {
        try {
            String host = hostOf(url);
            if (host == null) {
                return false;
            }
            InetAddress address = InetAddress.getByName(host);
            return !address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null;
        } catch (IOException e) {
            // The daemon has just answered at this name. Its networks are then searched as those of a local daemon.
            return false;
        }
    }

    /** Returns the host of a daemon that is reached by TCP; null for any other. */
    private static @Nullable String hostOf(String daemon) {
        URI url = URI.create(daemon);
        return SCHEMES.contains(String.valueOf(url.getScheme())) ? url.getHost() : null;
    }
}
