// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.SessionIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The context that the kit passes to a transport; it records what the transport reports. Thread-safe. */
class KitTransportContext implements TransportContext, TransportListener {

    private final TransportFixture fixture;
    private final String sessionId = SessionIds.next();
    private final Path directory;
    private final CallerHost callerHost;
    private final int maxPeers;
    private final List<Path> removedAtDeath = new CopyOnWriteArrayList<>();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private volatile Optional<TransportException> failure = Optional.empty();

    KitTransportContext(TransportFixture fixture, CallerHost callerHost, int maxPeers) {
        this.fixture = fixture;
        this.callerHost = callerHost;
        this.maxPeers = maxPeers;
        this.directory = fixture.directory().resolve("transport-" + sessionId);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make the directory of a transport: " + directory, e);
        }
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
        return fixture.options();
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public int maxPeers() {
        return maxPeers;
    }

    @Override
    public Duration lease() {
        return fixture.lease();
    }

    @Override
    public TransportListener listener() {
        return this;
    }

    @Override
    public void onFailed(TransportException cause) {
        failure = Optional.of(cause);
    }

    @Override
    public void onWarning(String message) {
        warnings.add(message);
    }

    Optional<TransportException> failure() {
        return failure;
    }

    List<Path> removedAtDeath() {
        return removedAtDeath;
    }

    /** Returns the reports, for the message of a failure. */
    String story() {
        return "warnings " + warnings + ", failure "
                + failure.map(TransportException::getMessage).orElse("none");
    }

    /** Removes the directory itself; call it after its content has been checked. */
    void removeDirectory() {
        FixtureDirectory.delete(directory);
    }
}
