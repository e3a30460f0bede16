// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.ExitCodes;
import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.OwnCode;
import io.fiber.backend.support.batch.BatchState.Waiting;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.util.Optional;
import java.util.OptionalInt;

/** Decides whether a job has ended, and how, from the reports of the job and of the batch system. Stateless. */
final class Ruling {

    /**
     * What the script wrote when it ended.
     *
     * @param exitCode exit code of the program, as in a shell
     * @param signalled whether the script had been asked to end
     */
    record Note(int exitCode, boolean signalled) {

        /** Parses {@code <code> asked} or {@code <code> -}. */
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
     * @param note the script's note; empty while the script has not ended, and forever if it was killed
     * @param state the system's last word; empty if it does not know the job
     * @param wish the wish of the owner
     * @param patience whether the other side's word is still awaited
     * @param begun whether the program was seen running
     */
    record Evidence(Optional<Note> note, Optional<BatchState> state, Wish wish, Patience patience, Begun begun) {
        Optional<Ended> ended() {
            return state.filter(Ended.class::isInstance).map(Ended.class::cast);
        }
    }

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

    /** Returns how the job ended; empty if it has not, or if this cannot be said yet. */
    static Optional<JobTermination> of(Evidence evidence, BatchName name) {
        if (evidence.wish == Wish.CANCELLED) {
            return ofCancelled(evidence);
        }
        if (evidence.note.isPresent()) {
            return ofNote(evidence, evidence.note.get(), name);
        }
        if (evidence.state.isPresent()) {
            return ofState(evidence, evidence.state.get(), name);
        }
        return evidence.patience == Patience.WAITING ? Optional.empty() : Optional.of(lost(name));
    }

    private static JobTermination lost(BatchName name) {
        return JobTermination.lost(name.shown() + " no longer knows the job, and the job has left no exit code. The"
                + " job was cancelled while it waited, or the shared directory was lost, or " + name.shown()
                + " forgot the job too early (" + name.memory() + ").");
    }

    private static Optional<JobTermination> ofCancelled(Evidence evidence) {
        Optional<Ended> ended = evidence.ended();
        boolean gone = ended.isPresent() || (evidence.state.isEmpty() && evidence.patience == Patience.OVER);
        if (evidence.note.isEmpty() && !gone) {
            return Optional.empty();
        }
        // A script that was killed with its program leaves no note, but the system may know the signal.
        OptionalInt code = evidence.note
                .map(note -> OptionalInt.of(note.exitCode))
                .orElseGet(() -> ended.map(Ended::codeOfSignal).orElse(OptionalInt.empty()));
        return Optional.of(JobTermination.cancelled(code));
    }

    /** If a program ended by itself, its note is enough; otherwise the system knows the cause. */
    private static Optional<JobTermination> ofNote(Evidence evidence, Note note, BatchName name) {
        if (!note.signalled && !note.isOfSignal()) {
            return Optional.of(JobTermination.exited(note.exitCode));
        }
        Optional<Ended> ended = evidence.ended();
        if (ended.isPresent()) {
            return Optional.of(ended.get().with(note.exitCode));
        }
        if (evidence.patience == Patience.WAITING) {
            return Optional.empty();
        }
        return Optional.of(
                evidence.state.isPresent() && evidence.state.get() instanceof Waiting waiting
                        ? requeued(waiting, name)
                        : ExitCodes.termination(note.exitCode));
    }

    private static Optional<JobTermination> ofState(Evidence evidence, BatchState state, BatchName name) {
        if (state instanceof Ended ended) {
            // A note may still be in transit through the file system.
            boolean awaited = evidence.patience == Patience.WAITING && ended.own() != OwnCode.COMPLETES;
            return awaited
                    ? Optional.empty()
                    : Optional.of(evidence.begun == Begun.YES ? ended.termination() : ended.unbegun());
        }
        if (!(state instanceof Waiting waiting)) {
            return Optional.empty();
        }
        if (evidence.begun == Begun.YES) {
            return evidence.patience == Patience.WAITING ? Optional.empty() : Optional.of(requeued(waiting, name));
        }
        return waiting.never()
                .map(advice -> JobTermination.failed(
                        EndCause.START_FAILED,
                        OptionalInt.empty(),
                        "FBR-131 " + name.shown() + " accepted the job but will never run it (" + waiting.reason()
                                + "). " + advice));
    }

    private static JobTermination requeued(Waiting waiting, BatchName name) {
        return JobTermination.failed(
                EndCause.PREEMPTED,
                OptionalInt.empty(),
                name.shown() + " removed the job from its node and put it back into the queue (" + waiting.reason()
                        + "); if it starts again, it runs nothing.");
    }
}
