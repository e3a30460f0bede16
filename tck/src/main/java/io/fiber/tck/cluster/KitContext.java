// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Reaper;
import java.nio.file.Path;

/**
 * A session that consists only of a backend: it has no worker, no transport, and no reaper that cleans up if it dies.
 *
 * @param sessionId its id
 * @param directory its directory
 * @param options the backend's options
 * @param environment variables and properties that the backend sees
 */
public record KitContext(String sessionId, Path directory, Options options, Environment environment)
        implements BackendContext {

    public KitContext {
        requireNonNull(sessionId, "sessionId");
        requireNonNull(directory, "directory");
        requireNonNull(options, "options");
        requireNonNull(environment, "environment");
    }

    @Override
    public Reaper reaper() {
        return command -> () -> {};
    }
}
