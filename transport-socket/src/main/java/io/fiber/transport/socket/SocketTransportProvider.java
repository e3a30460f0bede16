// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.OptionKey;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.util.List;
import java.util.Optional;

/**
 * Provides the transport "socket": Unix domain sockets between processes of one user on one host, TCP between hosts.
 *
 * <p>Thread-safe and stateless.
 */
public final class SocketTransportProvider implements TransportProvider {

    /** Creates a provider, for {@link java.util.ServiceLoader}. */
    public SocketTransportProvider() {}

    @Override
    public String name() {
        return LinkAddress.TRANSPORT;
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public List<OptionKey> options() {
        return TransportSettings.KEYS;
    }

    @Override
    public List<String> jvmOptions(CodePath path) {
        return List.of();
    }

    @Override
    public String inWords(Address address) {
        try {
            return LinkAddress.parse(address).endpoint().inWords();
        } catch (TransportException e) {
            return address.text();
        }
    }

    @Override
    public Optional<Address> listeningAddress(String host, int port) {
        return Optional.of(LinkAddress.ofNewcomers(host, port).toAddress());
    }

    @Override
    public Transport create(TransportContext context) {
        return new SocketTransport(TransportSettings.of(context), System::nanoTime);
    }
}
