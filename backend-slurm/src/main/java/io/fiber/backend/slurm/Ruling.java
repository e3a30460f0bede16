// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.ExitCodes;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Decides from what the job has said and what Slurm says whether a job has ended, and how. Without state. */
final class Ruling {

    private static final int SIGKILL = 9;
    private static final int NO_OUTPUT = 53;
    /** The code of the job script when it finds that it must not run the program. */
    private static final int FENCED = 75;
    /** At its time limit a script has KillWait for its note; and of a step the time is all that is known. */
    private static final Set<String> ENDS_WITH_A_NOTE = Set.of("COMPLETED", "FAILED", "TIMEOUT");

    /**
     * What the script has written at its end.
     *
     * @param exitCode of the program, as a shell has it
     * @param signalled whether the script was asked to end before
     */
    record Note(int exitCode, boolean signalled) {

        /** Reads {@code <code> asked} or {@code <code> -}. */
        static Note parse(String line) {
            String[] words = line.split(" ", -1);
            return new Note(Integer.parseInt(words[0]), words.length > 1 && words[1].equals("asked"));
        }

        boolean isOfSignal() {
            return ExitCodes.signal(exitCode).isPresent();
        }
    }

    /** Whether this session has cancelled the job. */
    enum Wish {
        NONE,
        CANCELLED
    }

    /**
     * What is known.
     *
     * @param note of the script; empty while it has not ended, and for ever when it was killed
     * @param row Slurm's last word; empty when Slurm does not know the job
     * @param wish of the owner
     * @param patience whether the other side's word is still awaited
     * @param begun whether the program was seen running
     */
    record Evidence(Optional<Note> note, Optional<QueueRow> row, Wish wish, Patience patience, Begun begun) {}

    /** Whether to wait for evidence that usually comes a little later. */
    enum Patience {
        WAITING,
        OVER
    }

    /** Whether the program was seen running. */
    enum Begun {
        NO,
        YES
    }

    private Ruling() {}

    /** Returns how the job ended; empty when it has not, or when that cannot be said yet. */
    static Optional<JobTermination> of(Evidence evidence) {
        if (evidence.wish == Wish.CANCELLED) {
            return ofCancelled(evidence);
        }
        if (evidence.note.isPresent()) {
            return ofNote(evidence, evidence.note.get());
        }
        if (evidence.row.isPresent()) {
            return ofRow(evidence, evidence.row.get());
        }
        return evidence.patience == Patience.WAITING
                ? Optional.empty()
                : Optional.of(
                        JobTermination.lost("Slurm does not know the job any more, and the job has left no exit code."
                                + " It was cancelled while it waited, or the shared directory or Slurm's memory was lost"
                                + " (MinJobAge), and the site keeps no books (sacct) or they do not know it either."));
    }

    private static Optional<JobTermination> ofCancelled(Evidence evidence) {
        boolean gone = evidence.row.map(QueueRow::isEnded).orElse(evidence.patience == Patience.OVER);
        if (evidence.note.isEmpty() && !gone) {
            return Optional.empty();
        }
        OptionalInt code =
                evidence.note.map(note -> OptionalInt.of(note.exitCode)).orElseGet(() -> codeOfSignal(evidence.row));
        return Optional.of(JobTermination.cancelled(code));
    }

    /** A script that was killed with its program leaves no note, but Slurm knows the signal: srun by an exit code. */
    private static OptionalInt codeOfSignal(Optional<QueueRow> row) {
        Optional<QueueRow> ended = row.filter(QueueRow::isEnded);
        int signal = ended.map(QueueRow::signal).orElse(0);
        if (signal == 0) {
            signal = ExitCodes.signal(ended.map(QueueRow::exitCode).orElse(0)).orElse(0);
        }
        return signal == NO_OUTPUT ? OptionalInt.empty() : ExitCodes.ofSignal(signal);
    }

    /** A program that ended by itself is a matter of its own; of the others Slurm knows why. */
    private static Optional<JobTermination> ofNote(Evidence evidence, Note note) {
        if (!note.signalled && !note.isOfSignal()) {
            return Optional.of(JobTermination.exited(note.exitCode));
        }
        Optional<QueueRow> ended = evidence.row.filter(QueueRow::isEnded);
        if (ended.isPresent()) {
            return Optional.of(ofEnd(ended.get(), OptionalInt.of(note.exitCode)));
        }
        if (evidence.row.filter(QueueRow::isWaiting).isPresent()) {
            return Optional.of(requeued(evidence.row.get()));
        }
        return evidence.patience == Patience.WAITING
                ? Optional.empty()
                : Optional.of(ExitCodes.termination(note.exitCode));
    }

    private static Optional<JobTermination> ofRow(Evidence evidence, QueueRow row) {
        if (row.isEnded()) {
            // A note may be on its way through the file system.
            boolean awaited = evidence.patience == Patience.WAITING && ENDS_WITH_A_NOTE.contains(row.state());
            return awaited ? Optional.empty() : Optional.of(ofEnd(row, OptionalInt.empty()));
        }
        if (row.isWaiting() && evidence.begun == Begun.YES) {
            return Optional.of(requeued(row));
        }
        return row.isWaiting()
                ? Advice.onNever(row.reason())
                        .map(advice -> JobTermination.failed(
                                Cause.START_FAILED,
                                OptionalInt.empty(),
                                "FBR-131 Slurm has taken the job and will never run it (" + row.reason() + "). "
                                        + advice))
                : Optional.empty();
    }

    private static JobTermination requeued(QueueRow row) {
        return JobTermination.failed(
                Cause.PREEMPTED,
                OptionalInt.empty(),
                "Slurm took the job off its node and put it into the queue again (" + row.state() + " " + row.reason()
                        + "); a second run of it runs nothing.");
    }

    private static JobTermination ofEnd(QueueRow row, OptionalInt code) {
        String on = row.nodes().isEmpty() ? "" : " on " + row.nodes();
        return switch (row.state()) {
            case "TIMEOUT", "DEADLINE" ->
                JobTermination.failed(
                        Cause.TIME_LIMIT,
                        code,
                        "Slurm ended it" + on + " (" + row.state() + "); ask for more with fiber.slurm.time-limit.");
            case "OUT_OF_MEMORY" ->
                JobTermination.failed(
                        Cause.OUT_OF_MEMORY, code, "It used more memory than --mem" + on + "; ask for more memory.");
            case "NODE_FAIL" ->
                JobTermination.failed(Cause.NODE_LOST, code, "The node failed" + on + " (" + row.reason() + ").");
            case "PREEMPTED" ->
                JobTermination.failed(Cause.PREEMPTED, code, "Slurm needed its place" + on + " (PREEMPTED).");
            case QueueRow.REFUSED ->
                JobTermination.failed(
                        Cause.START_FAILED,
                        code,
                        "FBR-137 srun could not make a step on this job's allocation: " + row.reason()
                                + ". Ask for less, or set fiber.slurm.steps=false to have workers as new jobs.");
            case "BOOT_FAIL" ->
                JobTermination.failed(Cause.START_FAILED, code, "The node did not boot" + on + " (BOOT_FAIL).");
            case "CANCELLED", "REVOKED" -> cancelledByOthers(row, code);
            default -> byStatus(row, code);
        };
    }

    private static JobTermination cancelledByOthers(QueueRow row, OptionalInt code) {
        return JobTermination.failed(
                Cause.SIGNALLED,
                code,
                "Somebody else cancelled it" + (row.nodes().isEmpty() ? " while it waited" : " on " + row.nodes())
                        + ": scancel, or an administrator (" + row.state() + " " + row.reason() + ").");
    }

    private static JobTermination byStatus(QueueRow row, OptionalInt code) {
        if (code.isPresent()) {
            return ExitCodes.termination(code.getAsInt());
        }
        if (row.reason().equals("BadConstraints")) {
            return JobTermination.failed(
                    Cause.START_FAILED, OptionalInt.empty(), "No node can ever run it (BadConstraints).");
        }
        if (row.signal() == NO_OUTPUT) {
            return JobTermination.failed(
                    Cause.START_FAILED,
                    OptionalInt.empty(),
                    "Slurm could not open the job's output on " + row.nodes()
                            + " (0:53): the node does not see fiber.slurm.directory, or the disk is full.");
        }
        if (row.signal() != 0) {
            return JobTermination.failed(
                    Cause.SIGNALLED,
                    ExitCodes.ofSignal(row.signal()),
                    "signal " + row.signal() + " on " + row.nodes()
                            + (row.signal() == SIGKILL
                                    ? "; where Slurm bounds memory without control groups, too much memory looks like this"
                                    : ""));
        }
        if (row.exitCode() == FENCED) {
            return JobTermination.failed(
                    Cause.START_FAILED,
                    OptionalInt.of(FENCED),
                    "The job script on " + row.nodes() + " ran nothing: it did not see the session's folder, or it was"
                            + " a second start of the same job.");
        }
        return ExitCodes.termination(row.exitCode());
    }
}
