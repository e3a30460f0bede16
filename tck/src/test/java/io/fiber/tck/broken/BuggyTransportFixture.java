// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.transport.TransportFixture;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Two ends of a transport with a bug. */
final class BuggyTransportFixture implements TransportFixture {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final TransportBug bug;
    private final TransportProvider provider;
    private final FixtureDirectory directory = FixtureDirectory.open();

    BuggyTransportFixture(TransportBug bug) {
        this.bug = bug;
        provider = OddTransportProvider.has(bug)
                ? new OddTransportProvider(bug)
                : new BrokenTransportProvider(bug, closed);
    }

    @Override
    public String name() {
        return "memory";
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
    public Duration connectLimit() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Duration closeNoticeLimit() {
        return Duration.ofMillis(500);
    }

    @Override
    public Duration leakLimit() {
        return Duration.ofMillis(100);
    }

    @Override
    public Duration lossNoticeLimit() {
        return Duration.ofSeconds(3);
    }

    @Override
    public Duration idleTime() {
        return bug.kind() == TransportBug.Kind.OF_IDLE_TIME ? Duration.ofSeconds(4) : Duration.ofMillis(100);
    }

    @Override
    public Optional<SocketAddress> listensAt(Address address) {
        return provider instanceof OddTransportProvider odd ? odd.doorOf(address) : Optional.empty();
    }

    @Override
    public int manyFrames() {
        return 20_000;
    }

    @Override
    public void close() {
        closed.countDown();
        directory.close();
    }
}
