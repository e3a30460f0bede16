// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a {@link PoolBuilder} was told, checked; the runtime makes a pool out of it. Immutable.
 *
 * @param name the pool's name; empty lets the runtime number it
 * @param processes how many workers; at least 1
 * @param resources what each worker needs of its machine
 * @param environment variables added to each worker's environment
 * @param initializer what each worker runs before its first task
 * @param maxTasksPerChild after how many tasks a worker is replaced by a new one; at least 1; empty means never
 * @param options chunk size and retries of calls that do not say otherwise
 * @param start when workers are started
 */
public record PoolSettings(
        Optional<String> name,
        int processes,
        Resources resources,
        Map<String, String> environment,
        Optional<RemoteRunnable> initializer,
        OptionalInt maxTasksPerChild,
        CallOptions options,
        Start start) {

    /** When a pool starts its workers. */
    public enum Start {
        /** As soon as the pool is made. */
        AT_ONCE,
        /** When the first task is submitted or somebody waits for the workers. */
        WITH_FIRST_TASK
    }

    /**
     * Checks the values and copies the environment.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public PoolSettings {
        requireNonNull(name, "name");
        requireNonNull(resources, "resources");
        requireNonNull(initializer, "initializer");
        requireNonNull(maxTasksPerChild, "maxTasksPerChild");
        requireNonNull(start, "start");
        environment = Map.copyOf(environment);
        name.ifPresent(PoolSettings::requireName);
        if (processes < 1) {
            throw new IllegalArgumentException(
                    "processes is " + processes + "; expected at least 1, for example pool(fiber.cpuCount()).");
        }
        if (maxTasksPerChild.isPresent() && maxTasksPerChild.getAsInt() < 1) {
            throw new IllegalArgumentException("maxTasksPerChild is " + maxTasksPerChild.getAsInt()
                    + "; expected at least 1. Leave it out to keep workers for ever.");
        }
    }

    static void requireChunkSize(int chunkSize) {
        if (chunkSize < 1) {
            throw new IllegalArgumentException(
                    "chunkSize is " + chunkSize + "; expected at least 1. Leave it out to let it adapt.");
        }
    }

    /** Returns a copy whose calls run a task again this often, unless that was set. */
    public PoolSettings withDefaultRetries(int times) {
        return options.retries().isPresent()
                ? this
                : new PoolSettings(
                        name,
                        processes,
                        resources,
                        environment,
                        initializer,
                        maxTasksPerChild,
                        options.retries(times),
                        start);
    }

    static void requireRetries(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException(
                    "retries is " + retries + "; expected 0 or more. 0 means that no task runs twice.");
        }
    }

    static void requireName(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "The name is '" + name + "'; expected one that is not blank. Leave it out to be given one.");
        }
    }
}
