// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Reaper;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.SessionIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The session for which the kit opens a backend. Thread-safe. */
final class KitBackendContext implements BackendContext, AutoCloseable {

    private final BackendFixture fixture;
    private final String sessionId = SessionIds.next();
    private final Path directory;
    private final ChildReaper reaper = new ChildReaper();

    KitBackendContext(BackendFixture fixture) {
        this.fixture = fixture;
        this.directory = fixture.directory().resolve("session-" + sessionId);
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make the directory of a session: " + directory, e);
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
    public Options options() {
        return fixture.options();
    }

    @Override
    public Environment environment() {
        return fixture.environment();
    }

    @Override
    public Reaper reaper() {
        return reaper;
    }

    ChildReaper childReaper() {
        return reaper;
    }

    /** Ends the reaper without running any command, and removes the directory. */
    @Override
    public void close() {
        reaper.close();
        FixtureDirectory.delete(directory);
    }
}
