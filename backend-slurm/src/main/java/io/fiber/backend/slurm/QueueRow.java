// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.ExitCodes;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.OwnCode;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What squeue says of one element of an array.
 *
 * @param id {@code <array>_<element>}, or {@code <job>}
 * @param state Slurm's word, for example {@code RUNNING}
 * @param waitStatus the raw wait status: exit code times 256, or a signal
 * @param reason Slurm's word, for example {@code Resources} or {@code NonZeroExitCode}
 * @param nodes where it runs or ran; empty for one that did not
 * @param startTime when it has started, or when Slurm expects it to, as {@code 2026-01-01T12:00:00}; empty when it did not say
 * @param endTime when Slurm will end it, in the same form; empty when it did not say
 */
record QueueRow(
        String id, String state, int waitStatus, String reason, String nodes, String startTime, String endTime) {

    /** The fields of one row, for squeue's -O; each ends with the separator. */
    static final String FORMAT = "JobArrayID:|,State:|,exit_code:|,Reason:|,NodeList:|,StartTime:|,EndTime:|";

    /** Not Slurm's word: srun could not make a step. */
    static final String REFUSED = "REFUSED";

    /** Not Slurm's word: the job that a step was to be a part of has ended. */
    static final String ALLOCATION_ENDED = "ALLOCATION_ENDED";

    /** The reason of a step that waits for others to end. */
    static final String STEPS_BUSY = "StepsBusy";

    private static final Set<String> ENDED = Set.of(
            ALLOCATION_ENDED,
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

    private static final int SIGKILL = 9;
    private static final int NO_OUTPUT = 53;
    /** The code of the job script when it finds that it must not run the program. */
    private static final int FENCED = 75;

    /** Of a shell that cannot run a program, or does not find it. */
    private static final Set<Integer> NOT_STARTED = Set.of(126, 127);

    private static final int FIELDS = 5;
    private static final Pattern STATUS = Pattern.compile("(\\d{1,9})(?::(\\d{1,3}))?");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");

    /** Creates a row that says no time. */
    QueueRow(String id, String state, int waitStatus, String reason, String nodes) {
        this(id, state, waitStatus, reason, nodes, "", "");
    }

    /** Reads one line; empty for a line that is none of a job, as sites' wrappers may print. */
    static Optional<QueueRow> parse(String line) {
        List<String> fields = List.of(line.split("\\|", -1));
        if (fields.size() < FIELDS || !fields.get(0).matches("\\d+(_\\d+)?")) {
            return Optional.empty();
        }
        return Optional.of(new QueueRow(
                fields.get(0).strip(),
                fields.get(1).strip(),
                waitStatus(fields.get(2).strip()),
                fields.get(3).strip(),
                fields.get(4).strip(),
                time(fields, FIELDS),
                time(fields, FIELDS + 1)));
    }

    /** Reads {@code 1792}, as squeue of older versions writes, or {@code 7:0}: an exit code and a signal. */
    static int waitStatus(String text) {
        Matcher status = STATUS.matcher(text);
        if (!status.matches()) {
            return 0;
        }
        int number = Integer.parseInt(status.group(1));
        return status.group(2) == null ? number : number << Byte.SIZE | Integer.parseInt(status.group(2));
    }

    private static String time(List<String> fields, int index) {
        return fields.size() > index && TIME.matcher(fields.get(index)).matches() ? fields.get(index) : "";
    }

    /** Tells whether it has ended; COMPLETING means that processes still run. */
    boolean isEnded() {
        return ENDED.contains(state);
    }

    /** Tells whether it is a step that srun could not make. */
    boolean isRefused() {
        return state.equals(REFUSED);
    }

    boolean isRunning() {
        return state.equals("RUNNING");
    }

    /** Returns why the node is to blame for the end, or would be, if others of its kind run elsewhere; empty when it is not. */
    Optional<String> whyNodeIsBad() {
        if (!isEnded() || nodes.isEmpty()) {
            return Optional.empty();
        }
        if (signal() == NO_OUTPUT) {
            return Optional.of("0:53: it does not see fiber.slurm.directory, may not write to it, or its disk is full");
        }
        return NOT_STARTED.contains(exitCode())
                ? Optional.of("exit code " + exitCode() + ": java or a part of the class path is missing there")
                : Optional.empty();
    }

    int exitCode() {
        return waitStatus >> 8;
    }

    private int signal() {
        return waitStatus & 0x7f;
    }

    /** Returns what it means. */
    BatchState meaning() {
        if (isEnded()) {
            return ended();
        }
        if (WAITING.contains(state)) {
            return new BatchState.Waiting(waiting(), Advice.onNever(reason));
        }
        return isRunning()
                ? new BatchState.Running(
                        nodes, endTime.isEmpty() ? Optional.empty() : Optional.of(LocalDateTime.parse(endTime)))
                : new BatchState.Changing();
    }

    private String waiting() {
        if (reason.equals("None")) {
            return "";
        }
        String advice = Advice.onWaiting(reason);
        return reason
                + (startTime.isEmpty() ? "" : ", expected to start at " + startTime.replace('T', ' '))
                + (advice.isEmpty() ? "" : ": " + advice);
    }

    private Ended ended() {
        String on = nodes.isEmpty() ? "" : " on " + nodes;
        return switch (state) {
            case "TIMEOUT", "DEADLINE" ->
                because(
                        EndCause.TIME_LIMIT,
                        "Slurm ended it" + on + " (" + state + "); ask for more with fiber.slurm.time-limit.");
            case "OUT_OF_MEMORY" ->
                because(EndCause.OUT_OF_MEMORY, "It used more memory than the job has" + on + "; ask for more memory.");
            case "NODE_FAIL" -> because(EndCause.NODE_LOST, "The node failed" + on + " (" + reason + ").");
            case "PREEMPTED" -> because(EndCause.PREEMPTED, "Slurm needed its place" + on + " (PREEMPTED).");
            // The next start is a job of its own.
            case REFUSED ->
                because(
                        EndCause.NO_ROOM,
                        "FBR-137 srun could not make a step on this job's allocation: " + reason
                                + ". Ask for less, or set fiber.slurm.steps=false to have workers as new jobs.");
            case ALLOCATION_ENDED ->
                because(
                        EndCause.NO_ROOM,
                        "The job around this program has ended (scancel, or its time limit), and srun makes no step of it: "
                                + reason + ". Further workers become jobs of their own.");
            case "BOOT_FAIL" -> because(EndCause.START_FAILED, "The node did not boot" + on + " (BOOT_FAIL).");
            case "CANCELLED", "REVOKED" ->
                cancelled(because(
                        EndCause.SIGNALLED,
                        "Somebody else cancelled it" + (nodes.isEmpty() ? " while it waited" : on)
                                + ": scancel, or an administrator (" + state + " " + reason + ")."));
            default -> new Ended(byStatus(), codeOfSignal(), OwnCode.REPLACES);
        };
    }

    /** Slurm cancels the jobs of a node whose Prolog fails. It reports a signal if a user cancels a job that is starting. */
    private Ended cancelled(Ended end) {
        return waitStatus != 0 || nodes.isEmpty()
                ? end
                : new Ended(
                        end.termination(),
                        end.codeOfSignal(),
                        end.own(),
                        JobTermination.failed(
                                EndCause.NODE_LOST,
                                OptionalInt.empty(),
                                "Slurm took it off " + nodes + " before its script ran: as a rule the node's Prolog has"
                                        + " failed, which 'scontrol show node " + nodes + "' says."));
    }

    /** At its time limit a script has KillWait for its note; and of a step the time is all that is known. */
    private Ended because(EndCause cause, String detail) {
        return new Ended(
                JobTermination.failed(cause, OptionalInt.empty(), detail),
                codeOfSignal(),
                state.equals("TIMEOUT") ? OwnCode.IS_AWAITED : OwnCode.COMPLETES);
    }

    /** Of a script that was killed squeue tells the signal, and srun the exit code. */
    private OptionalInt codeOfSignal() {
        int signal = signal() == 0 ? ExitCodes.signal(exitCode()).orElse(0) : signal();
        return signal == NO_OUTPUT ? OptionalInt.empty() : ExitCodes.ofSignal(signal);
    }

    private JobTermination byStatus() {
        if (reason.equals("BadConstraints")) {
            return JobTermination.failed(
                    EndCause.START_FAILED, OptionalInt.empty(), "No node can ever run it (BadConstraints).");
        }
        if (signal() == NO_OUTPUT) {
            return JobTermination.failed(
                    EndCause.START_FAILED,
                    OptionalInt.empty(),
                    "Slurm could not open the job's output on " + nodes
                            + " (0:53): the node does not see fiber.slurm.directory, may not write to it, or its disk is full."
                            + " At some sites nodes have the home read-only. Set another directory"
                            + " that this host and all nodes can write to.");
        }
        if (signal() != 0) {
            return JobTermination.failed(
                    EndCause.SIGNALLED,
                    ExitCodes.ofSignal(signal()),
                    ExitCodes.inWords(signal()) + " on " + nodes
                            + (signal() == SIGKILL
                                    ? "; where Slurm bounds memory without control groups, too much memory looks like this"
                                    : ""));
        }
        if (exitCode() == FENCED) {
            return JobTermination.failed(
                    EndCause.START_FAILED,
                    OptionalInt.of(FENCED),
                    "The job script on " + nodes + " ran nothing: it did not see the session's folder, could not"
                            + " write to it, or it was a second start of the same job. If it is on every node, set"
                            + " fiber.slurm.directory to a directory that all nodes can write to.");
        }
        return exitCode() == 0 && state.equals("FAILED")
                ? JobTermination.failed(
                        EndCause.UNKNOWN, OptionalInt.empty(), "Slurm says FAILED (" + reason + ") and no exit code.")
                : ExitCodes.termination(exitCode());
    }
}
