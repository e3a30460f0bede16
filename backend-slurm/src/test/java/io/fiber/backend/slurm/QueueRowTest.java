// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.OwnCode;
import io.fiber.backend.support.batch.BatchState.Running;
import io.fiber.backend.support.batch.BatchState.Waiting;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each row is what a real cluster answered when a job was ended in that way. */
class QueueRowTest {

    private static QueueRow row(String state, String reason, int code, int signal) {
        return new QueueRow("7_0", state, code * 256 + signal, reason, "node1");
    }

    private static Ended ended(String state, String reason, int code, int signal) {
        return (Ended) row(state, reason, code, signal).meaning();
    }

    private static Optional<String> never(String reason) {
        return ((Waiting) row("PENDING", reason, 0, 0).meaning()).never();
    }

    @ParameterizedTest(name = "{0} {1} {2}:{3} is {4}")
    @CsvSource({
        "FAILED, NonZeroExitCode, 7, 0, EXITED, 7, exit code 7",
        "FAILED, NonZeroExitCode, 44, 0, EXITED, 44, exit code 44",
        "FAILED, NonZeroExitCode, 127, 0, EXITED, 127, exit code 127",
        "FAILED, NonZeroExitCode, 137, 0, SIGNALLED, 137, signal 9",
        "FAILED, JobLaunchFailure, 0, 9, SIGNALLED, 137, too much memory looks like this",
        "FAILED, JobLaunchFailure, 0, 53, START_FAILED, -1, 'the node does not see fiber.slurm.directory, may not write to it, or its disk is full'",
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
            String state, String reason, int code, int signal, EndCause cause, int exitCode, String detail) {
        JobTermination end = ended(state, reason, code, signal).termination();

        assertThat(end.cause()).isEqualTo(cause);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.exitCode()).isEqualTo(exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode));
        assertThat(end.describe()).contains(detail);
    }

    /** As seen: the node gets no more jobs, so the next worker starts elsewhere. */
    @Test
    void jobThatWasCancelledOnANodeBeforeItsScriptRanFellToTheProlog() {
        Ended end = ended("CANCELLED", "None", 0, 0);

        assertThat(end.unbegun().cause()).isEqualTo(EndCause.NODE_LOST);
        assertThat(end.unbegun().detail())
                .isEqualTo(
                        "Slurm took it off node1 before its script ran: as a rule the node's Prolog has failed, which"
                                + " 'scontrol show node node1' says.");
        assertThat(end.termination().cause()).isEqualTo(EndCause.SIGNALLED);
    }

    /** A scancel while the Prolog runs has a signal, and one in the queue has no node. */
    @Test
    void jobThatSomebodyElseCancelledIsNoFaultOfANode() {
        assertThat(ended("CANCELLED", "None", 0, 15).unbegun().cause()).isEqualTo(EndCause.SIGNALLED);
        Ended waiting = (Ended) new QueueRow("7_0", "CANCELLED", 0, "None", "").meaning();
        assertThat(waiting.unbegun().detail()).startsWith("Somebody else cancelled it while it waited");
    }

    @Test
    void jobThatWaitsForTheEndOfAMaintenanceIsToldHowToStartBefore() {
        assertThat(((Waiting) row("PENDING", "ReqNodeNotAvail, Reserved for maintenance", 0, 0)
                                .meaning())
                        .reason())
                .isEqualTo(
                        "ReqNodeNotAvail, Reserved for maintenance: it could still run when the maintenance begins; a"
                                + " shorter fiber.slurm.time-limit may let it start now");
    }

    @Test
    void stepThatSrunCouldNotMakeHadNoRoom() {
        JobTermination end = ended(QueueRow.REFUSED, "srun: error: Unable to create step for job 15", 1, 0)
                .termination();

        assertThat(end.describe())
                .isEqualTo(
                        "no room: FBR-137 srun could not make a step on this job's allocation: srun: error: Unable to"
                                + " create step for job 15. Ask for less, or set fiber.slurm.steps=false to have workers as new"
                                + " jobs.");
    }

    @Test
    void stepOfAJobThatHasEndedDoesNotCountAsAFailedStart() {
        JobTermination end = ended(QueueRow.ALLOCATION_ENDED, "srun: error: Slurm job 15 has expired", 1, 0)
                .termination();

        assertThat(end.cause()).isEqualTo(EndCause.NO_ROOM);
        assertThat(end.detail())
                .isEqualTo(
                        "The job around this program has ended (scancel, or its time limit), and srun makes no step of"
                                + " it: srun: error: Slurm job 15 has expired. Further workers become jobs of their own.");
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
    void reasonThatSlurmNeverTakesBackHasAdvice(String reason, String advice) {
        assertThat(never(reason)).get(STRING).contains(advice);
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
    void reasonThatCanPassIsNoEnd(String reason) {
        assertThat(never(reason)).isEmpty();
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
        assertThat(row(state, "None", 0, 0).meaning()).isNotInstanceOf(Ended.class);
    }

    /** Of a script that was killed there is no note; srun tells the signal by an exit code, squeue as a signal. */
    @ParameterizedTest
    @CsvSource({"137, 0", "0, 9"})
    void cancelledJobThatWasKilledHasTheCodeOfTheSignal(int code, int signal) {
        assertThat(ended("CANCELLED", "None", code, signal).codeOfSignal()).hasValue(137);
    }

    @Test
    void outputThatCannotBeOpenedIsNoSignal() {
        assertThat(ended("CANCELLED", "None", 0, 53).codeOfSignal()).isEmpty();
    }

    /** A step that waited for room, and then ended by itself, has lasted as long as one that was ended for its time. */
    @ParameterizedTest
    @CsvSource({
        "COMPLETED, REPLACES",
        "FAILED, REPLACES",
        "TIMEOUT, IS_AWAITED",
        "DEADLINE, COMPLETES",
        "OUT_OF_MEMORY, COMPLETES",
        "NODE_FAIL, COMPLETES"
    })
    void exitCodeOfTheScriptIsAwaitedWhereThereIsOne(String state, OwnCode own) {
        assertThat(ended(state, "None", 0, 0).own()).isEqualTo(own);
    }

    @Test
    void adviceStandsBehindTheReasonOfAWait() {
        assertThat(row("PENDING", "PartitionTimeLimit", 0, 0).meaning())
                .isEqualTo(new Waiting("PartitionTimeLimit: it asks for more than its partition allows"));
        assertThat(row("PENDING", "None", 0, 0).meaning()).isEqualTo(new Waiting(""));
    }

    /** Slurm 22.05 writes the wait status, 24.11 the exit code and the signal. */
    @ParameterizedTest
    @CsvSource({
        "7_0|FAILED|9|JobLaunchFailure|n1|2026-11-29T06:11:36|2026-11-29T06:11:39|, signal 9",
        "7_0|FAILED|0:9|RaisedSignal:9(Killed)|n1|2026-11-29T06:11:36|2026-11-29T06:11:39|, signal 9",
        "7_0|FAILED|1792|NonZeroExitCode|n1|2026-11-29T06:11:36|2026-11-29T06:11:36|, exit code 7",
        "7_0|FAILED|7:0|NonZeroExitCode|n1|2026-11-29T06:11:36|2026-11-29T06:11:36|, exit code 7",
        "7_0|FAILED|0:53|RaisedSignal:53(Real-time_signal_19)|n1|2026-11-29T06:11:36|2026-11-29T06:11:36|, (0:53)",
        "7_0|FAILED|unknown|None|n1|N/A|N/A|, Slurm says FAILED (None) and no exit code.",
    })
    void wayToTheEndIsReadAsEachVersionWritesIt(String line, String said) {
        JobTermination end = ((Ended) QueueRow.parse(line).orElseThrow().meaning()).termination();

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.describe()).contains(said);
    }

    @Test
    void timeOfTheEndIsReadWhereItIsOne() {
        assertThat(until("2026-01-01T12:30:00"))
                .isEqualTo(new Running("node1", Optional.of(LocalDateTime.parse("2026-01-01T12:30:00"))));
        assertThat(until("N/A")).isEqualTo(new Running("node1"));
    }

    private static BatchState until(String endTime) {
        return QueueRow.parse("7_0|RUNNING|0|None|node1|2026-01-01T12:00:00|" + endTime + "|")
                .orElseThrow()
                .meaning();
    }

    @ParameterizedTest
    @CsvSource({
        "Resources, 2026-01-01T12:30:00, 'Resources, expected to start at 2026-01-01 12:30:00'",
        "Resources, N/A, Resources",
        "None, 2026-01-01T12:30:00, ''",
        "PartitionTimeLimit, 2026-01-01T12:30:00, 'PartitionTimeLimit, expected to start at 2026-01-01 12:30:00: it asks"
                + " for more than its partition allows'"
    })
    void timeAtWhichAWaitingJobIsExpectedToStartIsSaid(String reason, String startTime, String said) {
        assertThat(QueueRow.parse("7_0|PENDING|0|" + reason + "||" + startTime + "|N/A|")
                        .orElseThrow()
                        .meaning())
                .isEqualTo(new Waiting(said));
    }
}
