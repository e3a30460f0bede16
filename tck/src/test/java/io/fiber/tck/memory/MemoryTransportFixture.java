// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.transport.TransportFixture;
import java.nio.file.Path;
import java.time.Duration;

/** Two ends in this JVM. */
public final class MemoryTransportFixture implements TransportFixture {

    private final MemoryNetwork network = new MemoryNetwork();
    private final FixtureDirectory directory = FixtureDirectory.open();

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public TransportProvider provider() {
        return network.provider();
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    /** No clock of the transport closes anything. */
    @Override
    public Duration idleTime() {
        return Duration.ofMillis(100);
    }

    @Override
    public void close() {
        directory.close();
    }
}
