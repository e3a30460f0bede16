// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Reaper;
import java.nio.file.Path;

/**
 * A backend that is open for this command, with a session id and a directory of its own. Closing it cancels running
 * jobs and leaves nothing behind.
 */
public final class BackendAccess implements AutoCloseable {

    private final SessionDirectory directory;
    private final ShellReaper reaper;
    private final String sessionId;
    private final Backend backend;

    private record Context(String sessionId, Path directory, Options options, Environment environment, Reaper reaper)
            implements BackendContext {}

    private BackendAccess(String sessionId, SessionDirectory directory, ShellReaper reaper, Backend backend) {
        this.sessionId = sessionId;
        this.directory = directory;
        this.reaper = reaper;
        this.backend = backend;
    }

    /**
     * Opens a backend.
     *
     * @throws FiberException FBR-320 if the session's directory cannot be created, FBR-105 if the provider has a fault
     * @throws io.fiber.spi.backend.BackendException if the backend does not open; the message says what to do
     */
    public static BackendAccess open(BackendProvider provider, Options options) {
        String sessionId = SessionDirectory.newId();
        SessionDirectory directory = SessionDirectory.open(sessionId);
        ShellReaper reaper = ShellReaper.of(directory);
        try {
            Backend backend = BackendSelection.open(
                    provider, new Context(sessionId, directory.path(), options, Environment.system(), reaper));
            return new BackendAccess(sessionId, directory, reaper, backend);
        } catch (RuntimeException | Error e) {
            reaper.close();
            directory.close();
            throw e;
        }
    }

    /** Returns the id of the session, which jobs carry in their names or labels. */
    public String sessionId() {
        return sessionId;
    }

    /** Returns a directory of this host that is removed on close. */
    public Path directory() {
        return directory.path();
    }

    /** Returns the backend. */
    public Backend backend() {
        return backend;
    }

    @Override
    public void close() {
        try (directory;
                reaper) {
            backend.close();
        }
    }
}
