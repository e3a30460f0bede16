// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.Ring;
import io.fiber.RingBuilder;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.collective.RingSettings;
import io.fiber.spi.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks and collects the choices of a ring for its session. Belongs to one thread. */
final class SessionRingBuilder implements RingBuilder {
    private final int size;
    private final Function<RingSettings, Ring> maker;
    private @Nullable String name;
    private @Nullable Resources resources;
    private @Nullable Map<String, String> environment;
    private @Nullable RemoteRunnable initializer;
    private boolean isUsed;

    SessionRingBuilder(int size, Function<RingSettings, Ring> maker) {
        this.size = size;
        this.maker = requireNonNull(maker, "maker");
        settings();
    }

    @Override
    public RingBuilder named(String ringName) {
        Choice.requireName(ringName);
        name = Choice.once("named", name, ringName);
        return this;
    }

    @Override
    public RingBuilder resources(Resources needed) {
        resources = Choice.once("resources", resources, requireNonNull(needed, "needed"));
        return this;
    }

    @Override
    public RingBuilder environment(Map<String, String> variables) {
        environment = Choice.once("environment", environment, Map.copyOf(variables));
        return this;
    }

    @Override
    public RingBuilder initializer(RemoteRunnable program) {
        initializer = Choice.once("initializer", initializer, requireNonNull(program, "program"));
        return this;
    }

    @Override
    public Ring build() {
        if (isUsed) {
            throw new IllegalStateException("This builder has made its ring; call ringOf(...) again for another one.");
        }
        RingSettings settings = settings();
        isUsed = true;
        return maker.apply(settings);
    }

    private RingSettings settings() {
        return new RingSettings(
                Optional.ofNullable(name),
                size,
                Optional.ofNullable(resources),
                environment == null ? Map.of() : environment,
                Optional.ofNullable(initializer));
    }
}
