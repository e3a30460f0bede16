// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

/**
 * The names of a batch system.
 *
 * @param backend the name of its backend, for example {@code slurm}
 * @param shown the name that its users know, for example {@code Slurm}
 * @param memory the setting of the system for how long it remembers ended jobs, for example {@code MinJobAge}
 */
public record BatchName(String backend, String shown, String memory) {

    /** The option with the directory that this host and all nodes see. */
    public static final String DIRECTORY = "directory";

    /** Checks that no value is null. */
    public BatchName {
        requireNonNull(backend, "backend");
        requireNonNull(shown, "shown");
        requireNonNull(memory, "memory");
    }

    /** Returns the setting for an option of the backend. */
    public String setting(String option) {
        return "fiber." + backend + "." + option;
    }
}
