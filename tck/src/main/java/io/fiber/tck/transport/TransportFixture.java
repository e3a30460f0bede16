// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the kit must know about a transport. A fixture serves one test: the kit creates it before the test, opens
 * transports with {@link #provider}, closes them, checks that nothing is left, and closes the fixture. Only one thread
 * at a time uses it.
 */
public interface TransportFixture extends AutoCloseable {

    /** Returns the name of the transport to test. */
    String name();

    /** Returns the provider that creates the transports. */
    TransportProvider provider();

    /** Returns a directory that only this fixture uses; transports get directories below it. */
    Path directory();

    /** Returns the options of both transports; none by default. */
    default Options options() {
        return Options.none();
    }

    /** Returns where the inviting side listens; by default at the loopback address, and memory may be shared. */
    default CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    /** Returns the lease for transports; 20 seconds by default. */
    default Duration lease() {
        return Duration.ofSeconds(20);
    }

    /** Returns the time within which two ends find each other, even on a busy machine; 10 seconds by default. */
    default Duration connectLimit() {
        return Duration.ofSeconds(10);
    }

    /** Returns the time within which an end notices that the other has closed; 10 seconds by default. */
    default Duration closeNoticeLimit() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns the time within which an end notices that the other's process was killed; 60 seconds by default, which is
     * above the lease that decides earlier.
     */
    default Duration lossNoticeLimit() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns the time within which threads are gone after close; 5 seconds by default. Threads that are alive when the
     * fixture has been created belong to it and do not count.
     */
    default Duration leakLimit() {
        return Duration.ofSeconds(5);
    }

    /** Returns how many frames the clause about loss sends; 100,000 by default. */
    default int manyFrames() {
        return 100_000;
    }

    /**
     * Returns the fixture that a second JVM creates to be a peer: a class with a public constructor without parameters,
     * on this JVM's class path. System properties whose names begin with {@code fiber.tck.} are passed to the second
     * JVM. Empty, the default, means that two JVMs cannot be connected; then the clauses about the loss of a process
     * are skipped.
     */
    default Optional<Class<? extends TransportFixture>> peerFixture() {
        return Optional.empty();
    }

    /**
     * Returns the time for which the clause about idle links sends nothing; 10 seconds by default, which is above twice
     * the lease of a fixture that shortens it to 3 seconds.
     */
    default Duration idleTime() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns the TCP port or socket file at which the inviting side of an address listens, so that the kit can connect
     * to it as a stranger does, who does not know what a peer says first. Empty, the default, means that there are no
     * connections; then the clauses about strangers are skipped.
     *
     * @param address the address of an invitation
     */
    default Optional<SocketAddress> listensAt(Address address) {
        return Optional.empty();
    }

    /** Frees the fixture's resources, including {@link #directory}. */
    @Override
    void close();
}
