// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the kit must know of one transport. A fixture serves one test: the kit creates it before the test, opens
 * transports through {@link #provider}, closes them, checks that nothing is left, and closes the fixture. Used by one
 * thread at a time.
 */
public interface TransportFixture extends AutoCloseable {

    /** Returns the name of the transport that is meant to be tested. */
    String name();

    /** Returns the provider that creates the transports. */
    TransportProvider provider();

    /** Returns a directory of this fixture alone; transports are given directories below it. */
    Path directory();

    /** Returns the options of both transports; none by default. */
    default Options options() {
        return Options.none();
    }

    /** Returns where the inviting side listens; the loopback address, memory may be shared, by default. */
    default CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    /** Returns the lease that transports are given; 20 seconds by default. */
    default Duration lease() {
        return Duration.ofSeconds(20);
    }

    /** Returns within which time two ends find each other, also on a busy machine; 10 seconds by default. */
    default Duration connectLimit() {
        return Duration.ofSeconds(10);
    }

    /** Returns within which time an end notices that the other has closed; 10 seconds by default. */
    default Duration closeNoticeLimit() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns within which time an end notices that the other's process was killed; 60 seconds by default: above the
     * lease, which decides earlier.
     */
    default Duration lossNoticeLimit() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns within which time threads are gone after close; 5 seconds by default. Threads that live when the fixture
     * has been created are its own and do not count.
     */
    default Duration leakLimit() {
        return Duration.ofSeconds(5);
    }

    /** Returns how many frames the clause about loss sends; 100,000 by default. */
    default int manyFrames() {
        return 100_000;
    }

    /**
     * Returns the fixture that a second JVM makes to be a peer: a class with a public constructor without parameters, on
     * this JVM's class path. Empty, the default, where two JVMs cannot be connected; then the clauses about the loss of
     * a process are skipped. System properties whose names begin with {@code fiber.tck.} are handed to the second JVM.
     */
    default Optional<Class<? extends TransportFixture>> peerFixture() {
        return Optional.empty();
    }

    /** Frees what the fixture holds, {@link #directory} included. */
    @Override
    void close();
}
