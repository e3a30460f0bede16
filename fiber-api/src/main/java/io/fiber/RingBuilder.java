// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Ring} with choices named. Each may be made once; what is not said has a default. Ends with
 * {@link #build()}. Belongs to one thread.
 */
public final class RingBuilder {

    private final int size;
    private final Function<RingSettings, Ring> maker;
    private @Nullable String name;
    private @Nullable Resources resources;
    private @Nullable Map<String, String> environment;
    private @Nullable RemoteRunnable initializer;
    private boolean isUsed;

    /**
     * Creates a builder. The runtime does this; a program calls {@link Fiber#ringOf}.
     *
     * @param size how many members; at least 1
     * @param maker makes the ring
     * @throws IllegalArgumentException when {@code size} is less than 1
     */
    public RingBuilder(int size, Function<RingSettings, Ring> maker) {
        this.size = size;
        this.maker = requireNonNull(maker, "maker");
        settings();
    }

    /**
     * Names the ring; its members' names, logs and errors show it.
     *
     * @param ringName not blank. Default: {@code ring-} and a number
     * @throws IllegalArgumentException when it is blank
     * @throws IllegalStateException when it was set before
     */
    public RingBuilder named(String ringName) {
        PoolSettings.requireName(ringName);
        name = once("named", name, ringName);
        return this;
    }

    /**
     * Says what each member needs of its machine.
     *
     * @param needed default: what {@link Meta} or the function itself says; else it is left to the backend
     * @throws IllegalStateException when it was set before
     */
    public RingBuilder resources(Resources needed) {
        resources = once("resources", resources, requireNonNull(needed, "needed"));
        return this;
    }

    /**
     * Adds variables to the environment of each member.
     *
     * @param variables copied; by default none. Not the place for secrets: other programs of the machine may see them
     * @throws IllegalStateException when it was set before
     */
    public RingBuilder environment(Map<String, String> variables) {
        environment = once("environment", environment, Map.copyOf(variables));
        return this;
    }

    /**
     * Gives what each member runs first; no function begins before all have run it.
     *
     * @param program when it throws, the run fails as when the function throws. Default: nothing
     * @throws IllegalStateException when it was set before
     */
    public RingBuilder initializer(RemoteRunnable program) {
        initializer = once("initializer", initializer, requireNonNull(program, "program"));
        return this;
    }

    /**
     * Makes the ring; nothing is started before it runs.
     *
     * @throws IllegalStateException when this builder has made a ring before, or the session is closed
     */
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

    private static <T> T once(String what, @Nullable T before, T now) {
        if (before != null) {
            throw new IllegalStateException(what + " was already set to " + before + "; it can be set once.");
        }
        return now;
    }
}
