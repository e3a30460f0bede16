// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.backend.BackendProvider;

/**
 * Opens a session with options set in code, which override system properties, environment variables and configuration
 * files. If you set an option again, by any spelling or method, the new value replaces the old one. Not thread-safe.
 */
public interface FiberBuilder {

    /**
     * Selects the backend by name. If it cannot be used, opening the session fails; there is no fallback.
     *
     * @param name for example {@code "local"}
     */
    FiberBuilder backend(String name);

    /**
     * Selects a backend that need not be registered on the class path.
     *
     * @param provider the backend's provider, which is kept
     */
    FiberBuilder backend(BackendProvider provider);

    /**
     * Selects the transport by name.
     *
     * @param name for example {@code "socket"}
     */
    FiberBuilder transport(String name);

    /**
     * Sets any setting by its key; {@code docs/configuration.md} lists them. If the key is unknown or the value is
     * invalid, opening the session fails.
     *
     * @param key the name of the system property, with or without {@code fiber.}, for example {@code "lease"} or {@code
     *     "fiber.slurm.partition"}
     * @param value the value as text, for example {@code "30s"}
     */
    FiberBuilder set(String key, String value);

    /**
     * Opens the session. Each call opens another, independent session. Starts no process. Blocks until the platform
     * answers.
     *
     * @throws FiberException if an option cannot be honoured; the message says which one, where it was set and what to
     *     do. Or if the platform does not answer or rejects the request; the cause is the backend's {@link
     *     io.fiber.spi.backend.BackendException}
     * @throws IllegalStateException (FBR-304) in a static initializer or {@code readObject} that runs while a worker
     *     deserializes what it received
     */
    Fiber open();
}
