// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.backend.BackendProvider;

/**
 * Opens a session with choices made in code, which come before system properties, environment variables and
 * configuration files. Each may be made once. Belongs to one thread.
 */
public interface FiberBuilder {

    /**
     * Chooses the backend by name. A choice that cannot be honoured is an error when the session is opened, never a
     * fallback.
     *
     * @param name for example {@code "local"}
     * @throws IllegalStateException (FBR-306) when a backend was chosen before
     */
    FiberBuilder backend(String name);

    /**
     * Chooses a backend that need not be registered on the class path.
     *
     * @param provider kept
     * @throws IllegalStateException (FBR-306) when a backend was chosen before
     */
    FiberBuilder backend(BackendProvider provider);

    /**
     * Chooses the transport by name.
     *
     * @param name for example {@code "aeron"}
     * @throws IllegalStateException (FBR-306) when a transport was chosen before
     */
    FiberBuilder transport(String name);

    /**
     * Sets any setting by its key; {@code docs/configuration.md} lists them. An unknown key or a value that does not fit
     * is an error when the session is opened.
     *
     * @param key as the system property is named, with or without {@code fiber.}, for example {@code "lease"} or
     *     {@code "fiber.slurm.partition"}
     * @param value as text, for example {@code "30s"}
     * @throws IllegalStateException (FBR-306) when this setting was chosen before, by whichever spelling or method
     */
    FiberBuilder set(String key, String value);

    /**
     * Opens the session. May be called again for another, independent session. Contacts the platform, so it may take as
     * long as that answers; starts no process.
     *
     * @throws FiberException when a choice cannot be honoured; the text says which, where it came from and what to do
     * @throws io.fiber.spi.backend.BackendException when the platform does not answer, or refuses
     * @throws IllegalStateException (FBR-304) in a static initializer or {@code readObject} that runs while a worker
     *     reads what it was sent
     */
    Fiber open();
}
