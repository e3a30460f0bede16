// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** Where a job's standard output and standard error go, in addition to what {@link Job#logs} keeps. */
public sealed interface JobOutput {

    /**
     * To the streams of the same name of the submitting process, line by line. If the platform does not separate the
     * two, both go to standard output.
     */
    record Console() implements JobOutput {}

    /**
     * To {@code <directory>/<job name>.log}: both streams are appended to one file.
     *
     * @param directory on the host where the job runs; it is created if it is missing
     */
    record Files(Path directory) implements JobOutput {
        public Files {
            requireNonNull(directory, "directory");
        }
    }

    /** Nowhere else. */
    record None() implements JobOutput {}
}
