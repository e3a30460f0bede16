// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.JobOutput;
import java.nio.file.Path;
import java.util.List;

/** The output of one job. Thread-safe. */
sealed interface JobText permits ConsoleText, CopiedText, FileText {

    /** Maximum number of lines that are kept or read. */
    int MOST_LINES = 1000;

    /** Returns the text of a job whose output goes to {@code output}. */
    static JobText of(JobOutput output, BatchJob.Place place, String name, EndNotices notices) {
        SharedFolder.Part part = place.part();
        int index = place.index();
        if (output instanceof JobOutput.Console) {
            return new ConsoleText(part.files(), part.output(index), part.errors(index), notices);
        }
        if (!(output instanceof JobOutput.Files files)) {
            return FileText.of(part.files(), part.output(index), notices);
        }
        Path file = files.directory().toAbsolutePath().resolve(name + ".log");
        return part.files().isHere()
                ? FileText.behind(part.files(), file, notices)
                : new CopiedText(part.files(), part.output(index), file, notices);
    }

    /** Returns the lines that are dropped from it. */
    EndNotices notices();

    /** Copies new output to its destination. Does nothing if the job itself writes there. */
    default void copy() {}

    /** Records that the job has ended. */
    default void finish() {}

    /** Returns the last lines, oldest first. */
    List<String> lastLines(int count);
}
