// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.backend.JobSpec;
import java.util.Optional;

/**
 * What a builder was told about a process. Immutable.
 *
 * @param name the process's name; empty lets the session number it
 * @param job what is asked of its job; the program says what it needs of its machine where this does not
 */
public record ProcessSettings(Optional<String> name, JobSpec job, AtClose atClose) {

    /** What becomes of a process when its session is closed. */
    public enum AtClose {
        /** It is waited for. */
        JOINED,
        /** It is terminated: it is a daemon. */
        TERMINATED
    }

    /** Returns a copy with a name, unless there is one. */
    public ProcessSettings withDefaultName(String other) {
        return new ProcessSettings(Optional.of(name.orElse(other)), job, atClose);
    }
}
