// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What squeue says of one element of an array.
 *
 * @param id {@code <array>_<element>}
 * @param state Slurm's word, for example {@code RUNNING}
 * @param waitStatus the raw wait status: exit code times 256, or a signal
 * @param reason Slurm's word, for example {@code Resources} or {@code NonZeroExitCode}
 * @param nodes where it runs or ran; empty for one that did not
 * @param endTime when Slurm will end it, in a form whose order is that of time; empty when it did not say
 */
record QueueRow(String id, String state, int waitStatus, String reason, String nodes, String endTime) {

    /** The fields of one row, for squeue's -O; each ends with the separator. */
    static final String FORMAT = "JobArrayID:|,State:|,exit_code:|,Reason:|,NodeList:|,EndTime:|";

    /** Not Slurm's word: srun could not make a step. */
    static final String REFUSED = "REFUSED";

    /** The reason of a step that waits for others to end. */
    static final String STEPS_BUSY = "StepsBusy";

    private static final Set<String> ENDED = Set.of(
            "BOOT_FAIL",
            "CANCELLED",
            "COMPLETED",
            "DEADLINE",
            "FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            REFUSED,
            "REVOKED",
            "TIMEOUT");

    private static final Set<String> WAITING =
            Set.of("PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT");

    private static final int FIELDS = 5;
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:]+");

    /** Creates a row that does not say when its job will be ended. */
    QueueRow(String id, String state, int waitStatus, String reason, String nodes) {
        this(id, state, waitStatus, reason, nodes, "");
    }

    /** Reads one line; empty for a line that is none of a job, as sites' wrappers may print. */
    static Optional<QueueRow> parse(String line) {
        List<String> fields = List.of(line.split("\\|", -1));
        if (fields.size() < FIELDS || !fields.get(0).matches("\\d+(_\\d+)?")) {
            return Optional.empty();
        }
        String status = fields.get(2).strip();
        return Optional.of(new QueueRow(
                fields.get(0).strip(),
                fields.get(1).strip(),
                status.matches("\\d{1,9}") ? Integer.parseInt(status) : 0,
                fields.get(3).strip(),
                fields.get(4).strip(),
                fields.size() > FIELDS && TIME.matcher(fields.get(FIELDS)).matches() ? fields.get(FIELDS) : ""));
    }

    /** Tells whether Slurm will end it earlier than it said before: its place is needed, or its time was cut. */
    boolean endsEarlierThan(QueueRow before) {
        return !endTime.isEmpty() && endTime.compareTo(before.endTime) < 0;
    }

    /** Tells whether it has ended; COMPLETING means that processes still run. */
    boolean isEnded() {
        return ENDED.contains(state);
    }

    boolean isWaiting() {
        return WAITING.contains(state);
    }

    boolean isRunning() {
        return state.equals("RUNNING");
    }

    int exitCode() {
        return waitStatus >> 8;
    }

    int signal() {
        return waitStatus & 0x7f;
    }
}
