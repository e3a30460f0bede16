// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.transport.TransportFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Two ends of one host that share memory. */
public class AeronContractFixture implements TransportFixture {

    private final FixtureDirectory directory = FixtureDirectory.open();

    @Override
    public String name() {
        return "aeron";
    }

    @Override
    public TransportProvider provider() {
        return new AeronTransportProvider();
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
        return Optional.of(AeronContractFixture.class);
    }

    @Override
    public void close() {
        directory.close();
    }
}
