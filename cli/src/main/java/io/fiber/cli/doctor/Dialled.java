// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.TransportProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where jobs reach this process.
 *
 * @param bind the address to listen at
 * @param host what jobs dial
 * @param reach how close the jobs are
 * @param ports where to listen, 0 for any port
 * @param way what the selected transport sends between hosts
 */
record Dialled(InetAddress bind, String host, CallerHost.Reach reach, List<Integer> ports, Way way) {

    /** The protocol between hosts, if any. */
    enum Way {
        /** On a host, shared memory takes its place. */
        UDP,
        TCP;

        static Way of(TransportProvider transport) {
            return transport.listeningAddress("localhost", 1).isPresent() ? TCP : UDP;
        }
    }

    /** By convention, an option of this name sets the ports at which a transport listens. */
    private static final String PORT_RANGE = "port-range";

    /** Returns the values that apply in a program: those of the backend, unless the settings override them. */
    static Dialled of(CallerHost host, FiberConfig config, Optional<TransportProvider> transport)
            throws UnknownHostException {
        Optional<String> bind = config.text(ConfigKey.BIND_ADDRESS);
        Optional<String> advertised = config.text(ConfigKey.ADVERTISED_ADDRESS);
        List<Integer> ports = transport.stream()
                .flatMap(provider -> config.optionsOf(provider).list(PORT_RANGE).stream())
                .flatMap(Dialled::ports)
                .toList();
        return new Dialled(
                bind.isPresent() ? InetAddress.getByName(bind.get()) : host.bind(),
                advertised.orElseGet(() -> bind.orElse(host.advertised())),
                host.reach(),
                ports.isEmpty() ? List.of(0) : ports,
                transport.map(Way::of).orElse(Way.UDP));
    }

    private static Stream<Integer> ports(String range) {
        String[] ends = range.split("-", 2);
        int first = Integer.parseInt(ends[0].strip());
        int last = Integer.parseInt(ends[ends.length - 1].strip());
        return IntStream.rangeClosed(first, last).boxed();
    }

    /** Returns the address and the ports, for people to read. */
    @Override
    public String toString() {
        String at = ports.equals(List.of(0))
                ? "any port"
                : "the ports " + ports.get(0) + " to " + ports.get(ports.size() - 1);
        return bind.getHostAddress() + ", " + at + ", advertised as " + host;
    }
}
