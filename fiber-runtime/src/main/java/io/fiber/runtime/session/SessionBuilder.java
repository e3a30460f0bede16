// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.spi.backend.BackendProvider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the choices that are made in code. Belongs to one thread. */
final class SessionBuilder implements FiberBuilder {
    private static final Duration LONGEST_LEASE = Duration.ofNanos(Long.MAX_VALUE);

    private final Map<String, String> values = new LinkedHashMap<>();
    private @Nullable BackendProvider provider;
    private @Nullable Duration lease;

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
        Choice.once("backend", provider == null ? values.get(ConfigKey.BACKEND.key()) : provider.name(), values);
    }

    @Override
    public FiberBuilder transport(String name) {
        String key = ConfigKey.TRANSPORT.key();
        values.put(key, Choice.once("transport", values.get(key), requireNonNull(name, "name")));
        return this;
    }

    @Override
    public FiberBuilder lease(Duration limit) {
        if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("FBR-305 lease is " + limit
                    + "; expected a time above 0 and below 292 years, for example Duration.ofSeconds(20).");
        }
        lease = Choice.once("lease", lease, limit);
        return this;
    }

    @Override
    public FiberBuilder set(String key, String value) {
        requireNonNull(key, "key");
        values.put(key, Choice.once(key, values.get(key), requireNonNull(value, "value")));
        return this;
    }

    @Override
    public Fiber open() {
        Map<String, String> inCode = new LinkedHashMap<>(values);
        if (lease != null) {
            inCode.put(ConfigKey.LEASE.key(), lease.toNanos() + "ns");
        }
        return Sessions.open(Optional.ofNullable(provider), inCode);
    }
}
