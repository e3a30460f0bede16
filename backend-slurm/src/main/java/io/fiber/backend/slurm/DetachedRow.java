// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.DetachedJobs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What squeue says of a job that Slurm may keep without the program that submitted it.
 *
 * @param row what it says of every job
 * @param submitted when it was
 * @param directory where its files are
 * @param labels its comment
 */
record DetachedRow(QueueRow row, Instant submitted, Path directory, Map<String, String> labels) {

    /** The fields of one row, for squeue's -O. */
    static final String FORMAT = QueueRow.FORMAT + ",SubmitTime:|,WorkDir:|,Comment:|";

    private static final int SUBMITTED = 7;
    private static final int DIRECTORY = 8;
    private static final int COMMENT = 9;

    /** Reads one line; empty for a line that is none of a job. */
    static Optional<DetachedRow> parse(String line) {
        List<String> fields = List.of(line.split("\\|", -1));
        if (fields.size() <= COMMENT) {
            return Optional.empty();
        }
        return QueueRow.parse(line)
                .map(row -> new DetachedRow(
                        row,
                        DetachedQueue.time(fields.get(SUBMITTED).strip()),
                        Path.of(fields.get(DIRECTORY).strip()),
                        DetachedQueue.labels(fields.get(COMMENT).strip())));
    }

    /** Returns it with the labels of the note of its directory, where a site has put another comment in place of them. */
    DetachedRow labelledBy(Collection<DetachedNote> notes) {
        return notes.stream()
                .filter(note -> !isRun() && note.directory().equals(directory))
                .findFirst()
                .map(note -> new DetachedRow(row, submitted, directory, note.labels()))
                .orElse(this);
    }

    boolean isRun() {
        return labels.containsKey(DetachedJobs.RUN);
    }

    String run() {
        return labels.getOrDefault(DetachedJobs.RUN, "");
    }
}
