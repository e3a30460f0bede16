// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** Where a job's standard output and standard error go, beside what {@link Job#logs} keeps. */
public sealed interface JobOutput {

    /**
     * To the streams of the same name of the submitting process, line by line; to its standard output where the platform does
     * not tell the two apart.
     */
    record Console() implements JobOutput {}

    /**
     * To {@code <directory>/<job name>.log}, both streams in one file, appended.
     *
     * @param directory on the host where the job runs; it is created when it is missing
     */
    record Files(Path directory) implements JobOutput {
        public Files {
            requireNonNull(directory, "directory");
        }
    }

    /** Nowhere else. */
    record None() implements JobOutput {}
}
