// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.DetachedJobs;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One line in the folder of a session whose job Slurm keeps without its program: what Slurm forgets some minutes after the end.
 *
 * @param id {@code <array>_<element>}, or {@code <job>}
 * @param submitted when it was
 * @param directory where its files are
 * @param labels those of its comment
 * @param cluster the name of the cluster that has it: clusters of a site may share the folder
 * @param end what its script has written at its end; empty before, and when it was ended by force
 * @param starts how many times a program that may be started again was started; 0 for any other
 */
record DetachedNote(
        String id,
        Instant submitted,
        Path directory,
        Map<String, String> labels,
        String cluster,
        String end,
        int starts) {

    /** The name of the file. */
    static final String FILE = "run";

    private static final int FIELDS = 8;
    private static final int STARTS = 6;
    private static final int LAST_ID = 7;
    private static final String ID = "\\d+(_\\d+)?";

    /** Returns the line. */
    String text() {
        return String.join(
                "|",
                id,
                Long.toString(submitted.getEpochSecond()),
                JobScript.labels(labels),
                directory.toString(),
                cluster);
    }

    /**
     * Reads a line, and behind it what the script has written: the end, the number of starts, and the id of the job of the last
     * start, which differs if the site lets no job be requeued. Empty for a line that is none.
     */
    static Optional<DetachedNote> parse(String line) {
        List<String> fields = List.of(line.split("\\|", -1));
        if (fields.size() != FIELDS
                || !fields.get(0).matches(ID)
                || !fields.get(1).matches("\\d{1,12}")
                || !fields.get(STARTS).matches("\\d{1,9}")) {
            return Optional.empty();
        }
        return Optional.of(new DetachedNote(
                fields.get(LAST_ID).matches(ID) ? fields.get(LAST_ID) : fields.get(0),
                Instant.ofEpochSecond(Long.parseLong(fields.get(1))),
                Path.of(fields.get(3)),
                DetachedQueue.labels(fields.get(2)),
                fields.get(4),
                fields.get(5),
                Integer.parseInt(fields.get(STARTS))));
    }

    String run() {
        return labels.getOrDefault(DetachedJobs.RUN, "");
    }

    String array() {
        return id.replaceFirst("_.*", "");
    }

    int restarts() {
        return Math.max(0, starts - 1);
    }

    /** Returns whether the program may run again though its script has ended: Slurm may have been about to requeue the job. */
    boolean mayStartAgain() {
        return starts > 0 && List.of(end.split(" ", -1)).contains("asked");
    }

    /** Returns the exit code that the script has written. */
    Optional<Integer> exitCode() {
        String code = end.split(" ", -1)[0];
        return code.matches("\\d{1,3}") ? Optional.of(Integer.valueOf(code)) : Optional.empty();
    }
}
