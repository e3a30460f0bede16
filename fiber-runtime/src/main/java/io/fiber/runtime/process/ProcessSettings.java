// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.backend.JobSpec;
import java.util.Optional;

/**
 * The choices made in a builder of a process. Immutable.
 *
 * @param name the process's name; empty lets the session number it
 * @param job what is asked of its job; the program says what it needs of its machine where this does not
 */
public record ProcessSettings(Optional<String> name, JobSpec job, AtClose atClose) {

    /** What happens to a process when its session is closed. */
    public enum AtClose {
        /** The session waits for the process. */
        JOINED,
        /** The session terminates the process, which is a daemon. */
        TERMINATED
    }

    /** Returns a copy with this name, unless a name is set. */
    public ProcessSettings withDefaultName(String other) {
        return new ProcessSettings(Optional.of(name.orElse(other)), job, atClose);
    }
}
