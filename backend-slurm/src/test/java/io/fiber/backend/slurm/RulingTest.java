// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.slurm.Ruling.Begun;
import io.fiber.backend.slurm.Ruling.Evidence;
import io.fiber.backend.slurm.Ruling.Note;
import io.fiber.backend.slurm.Ruling.Patience;
import io.fiber.backend.slurm.Ruling.Wish;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each row is what a real cluster answered when a job was ended in that way. */
class RulingTest {

    private static QueueRow row(String state, String reason, int code, int signal) {
        return new QueueRow("7_0", state, code * 256 + signal, reason, "node1");
    }

    private static Optional<JobTermination> ruling(Optional<Note> note, Optional<QueueRow> row, Patience patience) {
        return Ruling.of(new Evidence(note, row, Wish.NONE, patience, Begun.YES));
    }

    private static JobTermination overdue(QueueRow row) {
        return ruling(Optional.empty(), Optional.of(row), Patience.OVER).orElseThrow();
    }

    @ParameterizedTest(name = "{0} {1} {2}:{3} is {4}")
    @CsvSource({
        "FAILED, NonZeroExitCode, 7, 0, EXITED, 7, exit code 7",
        "FAILED, NonZeroExitCode, 44, 0, EXITED, 44, exit code 44",
        "FAILED, NonZeroExitCode, 127, 0, EXITED, 127, exit code 127",
        "FAILED, NonZeroExitCode, 137, 0, SIGNALLED, 137, signal 9",
        "FAILED, JobLaunchFailure, 0, 9, SIGNALLED, 137, too much memory looks like this",
        "FAILED, JobLaunchFailure, 0, 53, START_FAILED, -1, the node does not see fiber.slurm.directory",
        "FAILED, NonZeroExitCode, 75, 0, START_FAILED, 75, ran nothing",
        "FAILED, BadConstraints, 0, 1, START_FAILED, -1, No node can ever run it",
        "TIMEOUT, TimeLimit, 0, 15, TIME_LIMIT, -1, fiber.slurm.time-limit",
        "TIMEOUT, TimeLimit, 0, 0, TIME_LIMIT, -1, fiber.slurm.time-limit",
        "DEADLINE, DeadLine, 0, 1, TIME_LIMIT, -1, DEADLINE",
        "OUT_OF_MEMORY, OutOfMemory, 0, 125, OUT_OF_MEMORY, -1, ask for more memory",
        "NODE_FAIL, NodeDown, 0, 0, NODE_LOST, -1, The node failed on node1",
        "NODE_FAIL, NodeDown, 0, 1, NODE_LOST, -1, NodeDown",
        "PREEMPTED, None, 0, 9, PREEMPTED, -1, needed its place",
        "BOOT_FAIL, None, 0, 0, START_FAILED, -1, did not boot",
        "CANCELLED, None, 0, 15, SIGNALLED, -1, Somebody else cancelled it on node1",
    })
    void endThatOnlySlurmToldIsTranslated(
            String state, String reason, int code, int signal, Cause cause, int exitCode, String detail) {
        JobTermination end = overdue(row(state, reason, code, signal));

        assertThat(end.cause()).isEqualTo(cause);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.exitCode()).isEqualTo(exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode));
        assertThat(end.describe()).contains(detail);
    }

    private static Optional<JobTermination> rulingOfWaiting(String reason) {
        return Ruling.of(new Evidence(
                Optional.empty(), Optional.of(row("PENDING", reason, 0, 0)), Wish.NONE, Patience.WAITING, Begun.NO));
    }

    @ParameterizedTest
    @CsvSource({
        "InvalidQOS, 'Correct fiber.slurm.account, fiber.slurm.qos or fiber.slurm.partition'",
        "InvalidAccount, 'sacctmgr show associations'",
        "QOSMaxCpuPerJobLimit, A limit of the account or QOS forbids jobs of this size.",
        "AssocMaxWallDurationPerJobLimit, a shorter fiber.slurm.time-limit",
        "BadConstraints, Correct fiber.slurm.constraint",
        "DependencyNeverSatisfied, A job that it depends on has failed.",
    })
    void jobThatSlurmWillNeverRunHasFailed(String reason, String advice) {
        Optional<JobTermination> end = rulingOfWaiting(reason);

        assertThat(end).get().extracting(JobTermination::cause).isEqualTo(Cause.START_FAILED);
        assertThat(end.orElseThrow().detail())
                .startsWith("FBR-131 Slurm has taken the job and will never run it (" + reason + "). ")
                .contains(advice);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Resources",
                "Priority",
                "QOSMaxJobsPerUserLimit",
                "AssocGrpCpuLimit",
                "PartitionTimeLimit",
                "JobHeldUser"
            })
    void jobThatMayRunLaterWaits(String reason) {
        assertThat(rulingOfWaiting(reason)).isEmpty();
    }

    @Test
    void completedWithoutANoteIsBelievedAfterAWhile() {
        Optional<QueueRow> completed = Optional.of(row("COMPLETED", "None", 0, 0));

        assertThat(ruling(Optional.empty(), completed, Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.empty(), completed, Patience.OVER)).contains(JobTermination.exited(0));
    }

    /** A step that waited for room, and then ended by itself, has lasted as long as one that was ended for its time. */
    @Test
    void noteIsAwaitedThoughTheTimeIsOver() {
        Optional<QueueRow> over = Optional.of(row("TIMEOUT", "", 0, 0));

        assertThat(ruling(Optional.empty(), over, Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.of(Note.parse("0 -")), over, Patience.WAITING))
                .contains(JobTermination.exited(0));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING",
        "CONFIGURING",
        "RUNNING",
        "COMPLETING",
        "SUSPENDED",
        "STOPPED",
        "RESIZING",
        "SIGNALING",
        "STAGE_OUT"
    })
    void stateThatIsNoEndIsNoEnd(String state) {
        Evidence evidence = new Evidence(
                Optional.empty(), Optional.of(row(state, "None", 0, 0)), Wish.NONE, Patience.OVER, Begun.NO);

        assertThat(Ruling.of(evidence)).isEmpty();
    }

    @Test
    void programThatEndedByItselfNeedsNoWordOfSlurm() {
        assertThat(ruling(Optional.of(Note.parse("0 -")), Optional.empty(), Patience.WAITING))
                .contains(JobTermination.exited(0));
        assertThat(ruling(Optional.of(Note.parse("7 -")), Optional.of(row("RUNNING", "None", 0, 0)), Patience.WAITING))
                .contains(JobTermination.exited(7));
    }

    @Test
    void programThatWasAskedToEndWaitsForSlurmToSayWhy() {
        Optional<Note> note = Optional.of(Note.parse("0 asked"));

        assertThat(ruling(note, Optional.of(row("COMPLETING", "TimeLimit", 0, 0)), Patience.WAITING))
                .isEmpty();
        assertThat(ruling(note, Optional.of(row("TIMEOUT", "TimeLimit", 0, 0)), Patience.WAITING))
                .get()
                .satisfies(end -> assertThat(end.cause()).isEqualTo(Cause.TIME_LIMIT))
                .satisfies(end -> assertThat(end.exitCode()).hasValue(0));
        assertThat(ruling(note, Optional.of(row("PREEMPTED", "None", 0, 9)), Patience.WAITING))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(Cause.PREEMPTED);
    }

    @Test
    void programThatWasKilledMayHaveUsedTooMuchMemory() {
        Optional<Note> note = Optional.of(Note.parse("137 -"));

        assertThat(ruling(note, Optional.of(row("RUNNING", "None", 0, 0)), Patience.WAITING))
                .isEmpty();
        assertThat(ruling(note, Optional.of(row("OUT_OF_MEMORY", "OutOfMemory", 0, 125)), Patience.WAITING))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(Cause.OUT_OF_MEMORY);
        assertThat(ruling(note, Optional.empty(), Patience.OVER))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(Cause.SIGNALLED);
    }

    @Test
    void jobThatWaitsAgainAfterItRanWasPreempted() {
        Optional<QueueRow> again = Optional.of(row("PENDING", "BeginTime", 0, 0));

        assertThat(ruling(Optional.empty(), again, Patience.WAITING))
                .get()
                .satisfies(end -> assertThat(end.cause()).isEqualTo(Cause.PREEMPTED))
                .satisfies(end -> assertThat(end.detail()).contains("into the queue again", "BeginTime"));
        assertThat(ruling(Optional.of(Note.parse("143 asked")), again, Patience.WAITING))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(Cause.PREEMPTED);
    }

    @Test
    void unknownJobWithoutANoteIsLostOnlyAfterAWhile() {
        assertThat(ruling(Optional.empty(), Optional.empty(), Patience.WAITING)).isEmpty();
        assertThat(ruling(Optional.empty(), Optional.empty(), Patience.OVER))
                .get()
                .satisfies(end -> assertThat(end.state()).isEqualTo(JobState.LOST))
                .satisfies(end -> assertThat(end.detail()).contains("MinJobAge", "cancelled while it waited"));
    }

    @Test
    void cancelledJobThatWaitedMayVanish() {
        Evidence vanished = new Evidence(Optional.empty(), Optional.empty(), Wish.CANCELLED, Patience.OVER, Begun.NO);

        assertThat(Ruling.of(vanished)).contains(JobTermination.cancelled());
    }

    @Test
    void cancelledJobEndsAsCancelledWhateverItsCode() {
        for (String note : new String[] {"0 -", "143 asked", "137 -"}) {
            Evidence evidence = new Evidence(
                    Optional.of(Note.parse(note)), Optional.empty(), Wish.CANCELLED, Patience.WAITING, Begun.YES);
            assertThat(Ruling.of(evidence))
                    .get()
                    .extracting(JobTermination::state)
                    .isEqualTo(JobState.CANCELLED);
        }
        Evidence completing = new Evidence(
                Optional.empty(),
                Optional.of(row("COMPLETING", "None", 0, 0)),
                Wish.CANCELLED,
                Patience.OVER,
                Begun.YES);
        assertThat(Ruling.of(completing)).isEmpty();
    }

    /** Of a script that was killed there is no note; srun tells the signal by an exit code, squeue as a signal. */
    @ParameterizedTest
    @CsvSource({"137, 0", "0, 9"})
    void cancelledJobThatWasKilledHasTheCodeOfTheSignal(int code, int signal) {
        Evidence killed = new Evidence(
                Optional.empty(),
                Optional.of(row("CANCELLED", "None", code, signal)),
                Wish.CANCELLED,
                Patience.WAITING,
                Begun.YES);
        assertThat(Ruling.of(killed)
                        .flatMap(end -> end.exitCode().stream().boxed().findFirst()))
                .contains(137);
    }
}
