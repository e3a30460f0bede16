// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.DetachedJobs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

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

    /** Returns the row of the last job of each run: where a site lets no job be requeued, each start is a job of its own. */
    static Collection<DetachedRow> lastOfEachRun(Collection<DetachedRow> rows) {
        Map<String, DetachedRow> last = new LinkedHashMap<>();
        rows.forEach(
                row -> last.merge(row.run(), row, BinaryOperator.maxBy(Comparator.comparingLong(DetachedRow::number))));
        return last.values();
    }

    private long number() {
        return Long.parseLong(row.id().replaceFirst("_.*", ""));
    }

    boolean isRun() {
        return labels.containsKey(DetachedJobs.RUN);
    }

    String run() {
        return labels.getOrDefault(DetachedJobs.RUN, "");
    }
}
