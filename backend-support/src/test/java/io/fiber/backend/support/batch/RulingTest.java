// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.OwnCode;
import io.fiber.backend.support.batch.BatchState.Waiting;
import io.fiber.backend.support.batch.Ruling.Begun;
import io.fiber.backend.support.batch.Ruling.Evidence;
import io.fiber.backend.support.batch.Ruling.Note;
import io.fiber.backend.support.batch.Ruling.Patience;
import io.fiber.backend.support.batch.Ruling.Wish;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the script and the batch system say of an end is put together. */
class RulingTest {

    private static final BatchName NAME = new BatchName("batch", "Batch", "KeepTime");
    private static final BatchState RUNNING = new BatchState.Running("node1");
    private static final BatchState CHANGING = new BatchState.Changing();
    private static final BatchState TIMEOUT =
            new Ended(failed(EndCause.TIME_LIMIT), OptionalInt.empty(), OwnCode.IS_AWAITED);

    private static JobTermination failed(EndCause cause) {
        return JobTermination.failed(cause, OptionalInt.empty(), "");
    }

    private static Optional<JobTermination> of(Evidence evidence) {
        return Ruling.of(evidence, NAME);
    }

    private static Optional<JobTermination> ruling(Optional<Note> note, Optional<BatchState> state, Patience patience) {
        return of(new Evidence(note, state, Wish.NONE, patience, Begun.YES));
    }

    @Test
    void completedWithoutANoteIsBelievedAfterAWhile() {
        Optional<BatchState> completed = Optional.of(Ended.withCode(0));

        assertThat(ruling(Optional.empty(), completed, Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.empty(), completed, Patience.OVER)).contains(JobTermination.exited(0));
    }

    @Test
    void endBeforeTheScriptHasReportedMayHaveAnotherCause() {
        Optional<BatchState> cancelled = Optional.of(new Ended(
                failed(EndCause.SIGNALLED), OptionalInt.empty(), OwnCode.COMPLETES, failed(EndCause.NODE_LOST)));

        assertThat(of(new Evidence(Optional.empty(), cancelled, Wish.NONE, Patience.WAITING, Begun.NO)))
                .contains(failed(EndCause.NODE_LOST));
        assertThat(ruling(Optional.empty(), cancelled, Patience.WAITING)).contains(failed(EndCause.SIGNALLED));
    }

    /** A step that waited for room, and then ended by itself, has lasted as long as one that was ended for its time. */
    @Test
    void noteIsAwaitedThoughTheTimeIsOver() {
        Optional<BatchState> over = Optional.of(TIMEOUT);

        assertThat(ruling(Optional.empty(), over, Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.of(Note.parse("0 -")), over, Patience.WAITING))
                .contains(JobTermination.exited(0));
    }

    @Test
    void programThatEndedByItselfNeedsNoWordOfTheSystem() {
        assertThat(ruling(Optional.of(Note.parse("0 -")), Optional.empty(), Patience.WAITING))
                .contains(JobTermination.exited(0));
        assertThat(ruling(Optional.of(Note.parse("7 -")), Optional.of(RUNNING), Patience.WAITING))
                .contains(JobTermination.exited(7));
    }

    @Test
    void programThatWasAskedToEndWaitsForTheSystemToSayWhy() {
        Optional<Note> note = Optional.of(Note.parse("0 asked"));

        assertThat(ruling(note, Optional.of(CHANGING), Patience.WAITING)).isEmpty();
        assertThat(ruling(note, Optional.of(TIMEOUT), Patience.WAITING))
                .get()
                .satisfies(end -> assertThat(end.cause()).isEqualTo(EndCause.TIME_LIMIT))
                .satisfies(end -> assertThat(end.exitCode()).hasValue(0));
        assertThat(ruling(note, Optional.of(Ended.because(EndCause.PREEMPTED, "")), Patience.WAITING))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(EndCause.PREEMPTED);
    }

    @Test
    void programThatWasKilledMayHaveUsedTooMuchMemory() {
        Optional<Note> note = Optional.of(Note.parse("137 -"));

        assertThat(ruling(note, Optional.of(RUNNING), Patience.WAITING)).isEmpty();
        assertThat(ruling(note, Optional.of(Ended.because(EndCause.OUT_OF_MEMORY, "")), Patience.WAITING))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(EndCause.OUT_OF_MEMORY);
        assertThat(ruling(note, Optional.empty(), Patience.OVER))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(EndCause.SIGNALLED);
    }

    @Test
    void jobThatWaitsAgainAfterItRanWasPreempted() {
        Optional<BatchState> again = Optional.of(new Waiting("BeginTime"));

        assertThat(ruling(Optional.empty(), again, Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.empty(), again, Patience.OVER))
                .get()
                .satisfies(end -> assertThat(end.cause()).isEqualTo(EndCause.PREEMPTED))
                .satisfies(end -> assertThat(end.detail()).contains("back into the queue", "BeginTime"));
        assertThat(ruling(Optional.of(Note.parse("143 asked")), again, Patience.OVER))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(EndCause.PREEMPTED);
    }

    @Test
    void unknownJobWithoutANoteIsLostOnlyAfterAWhile() {
        assertThat(ruling(Optional.empty(), Optional.empty(), Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.empty(), Optional.empty(), Patience.OVER))
                .get()
                .satisfies(end -> assertThat(end.state()).isEqualTo(JobState.LOST))
                .satisfies(end -> assertThat(end.detail()).contains("KeepTime", "cancelled while it waited"));
    }

    @Test
    void cancelledJobThatWaitedMayVanish() {
        Evidence vanished = new Evidence(Optional.empty(), Optional.empty(), Wish.CANCELLED, Patience.OVER, Begun.NO);

        assertThat(of(vanished)).contains(JobTermination.cancelled());
    }

    @Test
    void cancelledJobEndsAsCancelledWhateverItsCode() {
        for (String note : new String[] {"0 -", "143 asked", "137 -"}) {
            Evidence evidence = new Evidence(
                    Optional.of(Note.parse(note)), Optional.empty(), Wish.CANCELLED, Patience.WAITING, Begun.YES);
            assertThat(of(evidence)).get().extracting(JobTermination::state).isEqualTo(JobState.CANCELLED);
        }
        Evidence completing =
                new Evidence(Optional.empty(), Optional.of(CHANGING), Wish.CANCELLED, Patience.OVER, Begun.YES);
        assertThat(of(completing)).isEmpty();
    }

    @Test
    void cancelledJobThatWasKilledHasTheCodeOfTheSignal() {
        Evidence killed = new Evidence(
                Optional.empty(), Optional.of(Ended.withCode(137)), Wish.CANCELLED, Patience.WAITING, Begun.YES);

        assertThat(of(killed).flatMap(end -> end.exitCode().stream().boxed().findFirst()))
                .contains(137);
    }

    @Test
    void jobThatWillNeverRunHasFailed() {
        Evidence never = new Evidence(
                Optional.empty(),
                Optional.of(new Waiting("no such queue", Optional.of("Correct it."))),
                Wish.NONE,
                Patience.WAITING,
                Begun.NO);

        assertThat(of(never).orElseThrow())
                .isEqualTo(JobTermination.failed(
                        EndCause.START_FAILED,
                        OptionalInt.empty(),
                        "FBR-131 Batch accepted the job but will never run it (no such queue). Correct it."));
    }
}
