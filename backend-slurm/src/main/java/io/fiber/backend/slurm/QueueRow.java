// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What squeue says of one element of an array.
 *
 * @param id {@code <array>_<element>}
 * @param state Slurm's word, for example {@code RUNNING}
 * @param waitStatus the raw wait status: exit code times 256, or a signal
 * @param reason Slurm's word, for example {@code Resources} or {@code NonZeroExitCode}
 * @param nodes where it runs or ran; empty for one that did not
 */
record QueueRow(String id, String state, int waitStatus, String reason, String nodes) {

    /** The fields of one row, for squeue's -O; each ends with the separator. */
    static final String FORMAT = "JobArrayID:|,State:|,exit_code:|,Reason:|,NodeList:|";

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
                fields.get(4).strip()));
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
