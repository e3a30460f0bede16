// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.transport.TransportFixture;
import java.nio.file.Path;
import java.util.Optional;

/** The fixture of {@link StandaloneTck} for transports; a second JVM reads the same system properties. */
public final class StandaloneTransportFixture implements TransportFixture {

    private final TransportProvider provider = StandaloneOptions.transport(
            StandaloneOptions.setting(StandaloneOptions.TRANSPORT).orElseThrow());
    private final FixtureDirectory directory = FixtureDirectory.open();

    /** Creates the fixture that the system properties describe. */
    public StandaloneTransportFixture() {}

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public TransportProvider provider() {
        return provider;
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Options options() {
        return StandaloneOptions.options(provider);
    }

    @Override
    public Optional<Class<? extends TransportFixture>> peerFixture() {
        return Optional.of(StandaloneTransportFixture.class);
    }

    @Override
    public void close() {
        directory.close();
    }
}
