// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.session.Sessions;
import io.fiber.spi.backend.BackendProvider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens a session with choices made in code, which come before system properties, environment variables and
 * configuration files. Each may be made once. Belongs to one thread.
 */
public final class FiberBuilder {
    private @Nullable String backend;
    private @Nullable BackendProvider backendProvider;
    private @Nullable String transport;
    private @Nullable Duration lease;
    private static final Duration LONGEST_LEASE = Duration.ofNanos(Long.MAX_VALUE);

    private final Map<String, String> values = new LinkedHashMap<>();

    FiberBuilder() {}

    /**
     * What a builder was told; the runtime opens a session out of it. Immutable.
     *
     * @param backend name of the backend; empty when {@code backendProvider} is present or nothing was said
     * @param backendProvider the backend itself; empty when {@code backend} is present or nothing was said
     * @param transport name of the transport
     * @param lease how long a silent process counts as alive; above 0
     * @param values other settings by key
     */
    public record Settings(
            Optional<String> backend,
            Optional<BackendProvider> backendProvider,
            Optional<String> transport,
            Optional<Duration> lease,
            Map<String, String> values) {

        /**
         * Checks that the choices agree, and copies the values.
         *
         * @throws IllegalArgumentException when a backend is given both by name and as an instance, or the lease is not
         *     above 0
         */
        public Settings {
            requireNonNull(transport, "transport");
            values = Map.copyOf(values);
            if (backend.isPresent() && backendProvider.isPresent()) {
                throw new IllegalArgumentException(
                        "The backend is given twice, by name '" + backend.get() + "' and as an instance of "
                                + backendProvider.get().getClass().getName() + "; give one.");
            }
            lease.ifPresent(FiberBuilder::requireUsable);
        }

        /** Returns settings of which none is set. */
        public static Settings none() {
            return new Settings(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
        }
    }

    /**
     * Chooses the backend by name. A choice that cannot be honoured is an error when the session is opened, never a
     * fallback.
     *
     * @param name for example {@code "local"}
     * @throws IllegalStateException when a backend was chosen before
     */
    public FiberBuilder backend(String name) {
        requireFree("backend", backend == null ? backendProvider : backend);
        backend = requireNonNull(name, "name");
        return this;
    }

    /**
     * Chooses a backend that need not be registered on the class path.
     *
     * @param provider kept
     * @throws IllegalStateException when a backend was chosen before
     */
    public FiberBuilder backend(BackendProvider provider) {
        requireFree("backend", backend == null ? backendProvider : backend);
        backendProvider = requireNonNull(provider, "provider");
        return this;
    }

    /**
     * Chooses the transport by name.
     *
     * @param name for example {@code "aeron"}
     * @throws IllegalStateException when a transport was chosen before
     */
    public FiberBuilder transport(String name) {
        requireFree("transport", transport);
        transport = requireNonNull(name, "name");
        return this;
    }

    /**
     * Says how long a process that is silent counts as alive. A worker silent for longer is dead to its master, which
     * runs its tasks elsewhere; a worker whose master is silent for longer ends itself.
     *
     * @param limit above 0 and below 292 years. Default: 20 seconds
     * @throws IllegalArgumentException when it is outside of that
     * @throws IllegalStateException when it was set before
     */
    public FiberBuilder lease(Duration limit) {
        requireFree("lease", lease);
        requireUsable(limit);
        lease = limit;
        return this;
    }

    /**
     * Sets any setting by its key; {@code docs/configuration.md} lists them. An unknown key or a value that does not fit
     * is an error when the session is opened.
     *
     * @param key as the system property is named, for example {@code "fiber.slurm.partition"}
     * @param value as text
     * @throws IllegalStateException when this key was set before
     */
    public FiberBuilder set(String key, String value) {
        requireFree(key, values.get(requireNonNull(key, "key")));
        values.put(key, requireNonNull(value, "value"));
        return this;
    }

    /**
     * Opens the session. May be called again for another, independent session. Contacts the platform, so it may take as
     * long as that answers; starts no process.
     *
     * @throws FiberException when a choice cannot be honoured; the text says which, where it came from and what to do
     */
    public Fiber open() {
        return Sessions.open(settings());
    }

    private Settings settings() {
        return new Settings(
                Optional.ofNullable(backend),
                Optional.ofNullable(backendProvider),
                Optional.ofNullable(transport),
                Optional.ofNullable(lease),
                values);
    }

    private static void requireUsable(Duration lease) {
        if (lease.isNegative() || lease.isZero() || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("lease is " + lease
                    + "; expected a time above 0 and below 292 years, for example Duration.ofSeconds(20).");
        }
    }

    private static void requireFree(String what, @Nullable Object before) {
        if (before != null) {
            throw new IllegalStateException(what + " was already set to "
                    + (before instanceof BackendProvider provider ? provider.name() : before)
                    + "; it can be set once.");
        }
    }
}
