// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.List;

/** What one job writes. Thread-safe. */
sealed interface JobText permits ConsoleText, CopiedText, FileText {

    /** The most lines that are kept or read. */
    int MOST_LINES = 1000;

    /** Copies what is new to where it shall appear. */
    void copy();

    /** Takes note that the job has ended. */
    void finish();

    /** Returns the last lines, oldest first. */
    List<String> lastLines(int count);
}
