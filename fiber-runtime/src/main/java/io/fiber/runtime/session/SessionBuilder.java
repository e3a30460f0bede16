// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static io.fiber.runtime.session.SessionJobBuilder.once;
import static java.util.Objects.requireNonNull;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.spi.backend.BackendProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the settings that are made in code. Belongs to one thread. */
final class SessionBuilder implements FiberBuilder {
    private final Map<String, String> values = new LinkedHashMap<>();
    private @Nullable BackendProvider provider;

    @Override
    public FiberBuilder backend(String name) {
        requireNonNull(name, "name");
        requireNoBackend();
        values.put(ConfigKey.BACKEND.key(), name);
        return this;
    }

    @Override
    public FiberBuilder backend(BackendProvider backend) {
        requireNonNull(backend, "provider");
        requireNoBackend();
        provider = backend;
        return this;
    }

    private void requireNoBackend() {
        once("backend", provider == null ? values.get(ConfigKey.BACKEND.key()) : provider.name(), values);
    }

    @Override
    public FiberBuilder transport(String name) {
        String key = ConfigKey.TRANSPORT.key();
        values.put(key, once("transport", values.get(key), requireNonNull(name, "name")));
        return this;
    }

    @Override
    public FiberBuilder set(String key, String value) {
        String name = ConfigSources.withoutPrefix(requireNonNull(key, "key"));
        if (name.equals(ConfigKey.BACKEND.key())) {
            requireNoBackend();
        }
        values.put(name, once(key, values.get(name), requireNonNull(value, "value")));
        return this;
    }

    @Override
    public Fiber open() {
        return RuntimeEngine.open(Optional.ofNullable(provider), new LinkedHashMap<>(values));
    }
}
