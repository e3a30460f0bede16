// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.fiber.spi.OptionKey;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.util.List;

/**
 * Provides the transport "aeron": shared memory between processes of one user on one host, UDP between hosts.
 *
 * <p>Thread-safe and stateless. No class of Aeron is initialized before {@link #create}.
 */
public final class AeronTransportProvider implements TransportProvider {

    private static final String OPENED_PACKAGE = "--add-exports=java.base/jdk.internal.misc=";

    /** Creates a provider, for {@link java.util.ServiceLoader}. */
    public AeronTransportProvider() {}

    @Override
    public String name() {
        return "aeron";
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
        return List.of(OPENED_PACKAGE + (path == CodePath.CLASS_PATH ? "ALL-UNNAMED" : "org.agrona"));
    }

    @Override
    public List<Class<?>> libraries() {
        return List.of(getClass(), Aeron.class, MediaDriver.class);
    }

    @Override
    public String inWords(Address address) {
        try {
            if (AeronAddress.parse(address) instanceof AeronAddress.Udp udp) {
                return udp.host() + ":" + udp.dataPort() + " and " + udp.host() + ":" + udp.controlPort() + " (UDP)";
            }
            return "shared memory of this host";
        } catch (TransportException e) {
            return address.text();
        }
    }

    @Override
    public Transport create(TransportContext context) {
        return new AeronTransport(TransportSettings.of(context));
    }
}
