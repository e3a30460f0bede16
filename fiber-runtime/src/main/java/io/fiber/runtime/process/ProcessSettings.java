// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.backend.JobSpec;
import java.util.Optional;

/**
 * The choices made in a builder of a process. Immutable.
 *
 * @param name name of the process; if empty, the session numbers it
 * @param job requirements of its job; the program's own apply where this has none
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
