// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.transport.TransportFixture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Two ends of one host that use a socket file. */
public class SocketContractFixture implements TransportFixture {

    private final FixtureDirectory directory = FixtureDirectory.open();

    @Override
    public String name() {
        return "socket";
    }

    @Override
    public TransportProvider provider() {
        return new SocketTransportProvider();
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Optional<Class<? extends TransportFixture>> peerFixture() {
        return Optional.of(SocketContractFixture.class);
    }

    @Override
    public Optional<SocketAddress> listensAt(Address address) {
        LinkAddress.Endpoint endpoint = LinkAddress.parse(address).endpoint();
        return Optional.of(
                endpoint instanceof LinkAddress.TcpEndpoint tcp
                        ? new InetSocketAddress(tcp.host(), tcp.port())
                        : UnixDomainSocketAddress.of(((LinkAddress.UnixEndpoint) endpoint).file()));
    }

    @Override
    public void close() {
        directory.close();
    }
}
