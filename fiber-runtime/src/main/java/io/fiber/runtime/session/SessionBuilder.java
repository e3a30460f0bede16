// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

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
        return set(ConfigKey.BACKEND.key(), requireNonNull(name, "name"));
    }

    @Override
    public FiberBuilder backend(BackendProvider backend) {
        provider = requireNonNull(backend, "provider");
        values.remove(ConfigKey.BACKEND.key());
        return this;
    }

    @Override
    public FiberBuilder transport(String name) {
        return set(ConfigKey.TRANSPORT.key(), requireNonNull(name, "name"));
    }

    @Override
    public FiberBuilder set(String key, String value) {
        String name = ConfigSources.withoutPrefix(requireNonNull(key, "key"));
        values.put(name, requireNonNull(value, "value"));
        if (name.equals(ConfigKey.BACKEND.key())) {
            provider = null;
        }
        return this;
    }

    @Override
    public Fiber open() {
        return RuntimeEngine.open(Optional.ofNullable(provider), new LinkedHashMap<>(values));
    }
}
