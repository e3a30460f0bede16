// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A context whose parts a test can choose. */
final class Fixture implements TransportContext, TransportListener {

    /**
     * One of this test's JVM and of those that it starts: a process that dials puts its files into the directory of one that
     * invites in the same session.
     */
    static final String SESSION = System.getProperty(
            "fiber.test.session",
            String.format("test%08d", ProcessHandle.current().pid()));

    final List<Path> removedAtDeath = new ArrayList<>();
    final List<TransportException> failures = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    private final Path directory;
    String sessionId = SESSION;
    Options options = Options.none();
    CallerHost host = CallerHost.sameHost();
    int maxPeers = 4;
    Duration lease = Duration.ofSeconds(20);

    Fixture(Path directory) {
        this.directory = directory;
    }

    Fixture overNetwork() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        host = new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
        return this;
    }

    AeronTransport open() {
        return (AeronTransport) new AeronTransportProvider().create(this);
    }

    @Override
    public String sessionId() {
        return sessionId;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public void removeAtDeath(Path path) {
        removedAtDeath.add(path);
    }

    @Override
    public Options options() {
        return options;
    }

    @Override
    public CallerHost callerHost() {
        return host;
    }

    @Override
    public int maxPeers() {
        return maxPeers;
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public TransportListener listener() {
        return this;
    }

    @Override
    public void onFailed(TransportException failure) {
        failures.add(failure);
    }

    @Override
    public void onWarning(String message) {
        warnings.add(message);
    }
}
