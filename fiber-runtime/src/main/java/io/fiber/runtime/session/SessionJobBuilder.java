// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.JobBuilder;
import io.fiber.spi.Resources;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks and collects what all builders are told. Belongs to one thread.
 *
 * @param <B> the builder itself
 */
abstract class SessionJobBuilder<B extends JobBuilder<B>> implements JobBuilder<B> {
    private final String made;
    private @Nullable String name;
    private @Nullable Resources resources;
    private @Nullable Map<String, String> environment;
    private boolean isUsed;

    /** Creates a builder of {@code made}, a word. */
    SessionJobBuilder(String made) {
        this.made = made;
    }

    /** Returns this builder. */
    abstract B self();

    @Override
    public final B name(String chosen) {
        if (chosen.isBlank()) {
            throw new IllegalArgumentException(
                    "FBR-305 name is '" + chosen + "'; expected one that is not blank. Leave it out to be given one.");
        }
        name = Choice.once("name", name, chosen);
        return self();
    }

    @Override
    public final B resources(Resources needed) {
        resources = Choice.once("resources", resources, requireNonNull(needed, "needed"));
        return self();
    }

    @Override
    public final B environment(Map<String, String> variables) {
        environment = Choice.once("environment", environment, Map.copyOf(variables));
        return self();
    }

    final Optional<String> name() {
        return Optional.ofNullable(name);
    }

    final Optional<Resources> resources() {
        return Optional.ofNullable(resources);
    }

    final Map<String, String> environment() {
        return environment == null ? Map.of() : environment;
    }

    /**
     * Takes note that the builder makes its object.
     *
     * @throws IllegalStateException (FBR-306) when it has made one
     */
    final void use() {
        if (isUsed) {
            throw new IllegalStateException("FBR-306 This builder has made its " + made + ". Make another one by fiber."
                    + made + "Builder(...).");
        }
        isUsed = true;
    }
}
