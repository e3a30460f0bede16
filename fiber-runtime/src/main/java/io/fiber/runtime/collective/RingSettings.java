// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.function.RemoteRunnable;
import io.fiber.spi.backend.JobSpec;
import java.util.Optional;

/**
 * What a {@link io.fiber.RingBuilder} was told, checked; the runtime makes a ring out of it. Immutable.
 *
 * @param name the ring's name; empty lets the runtime number it
 * @param size how many members; at least 1
 * @param job what is asked of each member's job; the function says what it needs where this does not
 * @param initializer what each member runs first
 */
public record RingSettings(Optional<String> name, int size, JobSpec job, Optional<RemoteRunnable> initializer) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public RingSettings {
        if (size < 1) {
            throw new IllegalArgumentException(
                    "FBR-305 size is " + size + "; expected at least 1, for example ring(8).");
        }
    }
}
