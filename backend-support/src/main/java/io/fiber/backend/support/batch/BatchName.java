// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

/**
 * What a batch system is called.
 *
 * @param backend the name of its backend, for example {@code slurm}
 * @param shown the name that its users know, for example {@code Slurm}
 * @param memory what says how long it knows jobs that have ended, for example {@code MinJobAge}
 */
public record BatchName(String backend, String shown, String memory) {

    /** The option that names the directory which this host and all nodes see. */
    public static final String DIRECTORY = "directory";

    /** Checks that all are there. */
    public BatchName {
        requireNonNull(backend, "backend");
        requireNonNull(shown, "shown");
        requireNonNull(memory, "memory");
    }

    /** Returns the setting that gives an option of the backend. */
    public String setting(String option) {
        return "fiber." + backend + "." + option;
    }
}
