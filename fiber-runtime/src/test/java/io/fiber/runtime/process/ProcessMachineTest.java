// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static io.fiber.ProcessState.EXITED;
import static io.fiber.ProcessState.FAILED;
import static io.fiber.ProcessState.LOST;
import static io.fiber.ProcessState.NEW;
import static io.fiber.ProcessState.RUNNING;
import static io.fiber.ProcessState.STARTING;
import static io.fiber.ProcessState.SUBMITTED;
import static io.fiber.ProcessState.TERMINATED;
import static io.fiber.ProcessState.TERMINATING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ProcessState;
import io.fiber.runtime.process.ProcessEnd.Kind;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessMachineTest {

    private static final long START_NS = 100_000_000;
    private static final long END_NS = 1_000;
    private static final long EXIT_NS = 20;
    private static final long CANCEL_NS = 30;
    private static final String HALTED = "killed, because its shutdown hooks had not ended within shutdown-grace";
    private static final JobTermination KILLED = JobTermination.failed(EndCause.OUT_OF_MEMORY, OptionalInt.of(137), "");

    private final List<Long> cancels = new ArrayList<>();
    private final List<ProcessEnd> ends = new ArrayList<>();
    private final ProcessMachine machine = new ProcessMachine(
            new ProcessMachine.Limits(START_NS, END_NS, EXIT_NS, CANCEL_NS), new ProcessMachine.Effects() {
                @Override
                public void cancelJob(long graceNs) {
                    cancels.add(graceNs);
                }

                @Override
                public void ended(ProcessEnd end) {
                    ends.add(end);
                }
            });

    private ProcessMachine in(ProcessState state) {
        switch (state) {
            case NEW -> {}
            case SUBMITTED -> machine.onSubmit();
            case STARTING -> in(SUBMITTED).onJobRunning(0);
            case RUNNING -> in(STARTING).onReady(1);
            case TERMINATING -> {
                in(RUNNING).onTerminate(5, 10);
                cancels.clear();
            }
            case EXITED -> in(RUNNING).onJobEnded(JobTermination.exited(0));
            case FAILED -> in(STARTING).onJobEnded(JobTermination.exited(1));
            case LOST -> in(RUNNING).onJobEnded(KILLED);
            case TERMINATED -> in(NEW).onTerminate(0, 0);
        }
        assertThat(machine.state()).isEqualTo(state);
        return machine;
    }

    private void assertEnded(ProcessState state, OptionalInt exitCode, EndCause cause, String how, Kind kind) {
        assertThat(ends).containsExactly(new ProcessEnd(state, exitCode, cause, how, kind));
        assertThat(machine.state()).isEqualTo(state);
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE_LOST", "PREEMPTED"})
    void startWhosePlaceIsTakenAwaySaysNothingOfTheNext(EndCause cause) {
        in(STARTING).onJobEnded(JobTermination.failed(cause, OptionalInt.empty(), "node 7"));

        assertThat(ends.get(0).isTaken()).isTrue();
        assertThat(ends.get(0).isByChance()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"5, 143", "0, 137"})
    void programWhoseCodeThePlatformDoesNotKnowHasThatOfTheRequestToEnd(long graceNs, int code) {
        in(RUNNING).onTerminate(graceNs, 10);
        machine.onJobEnded(JobTermination.cancelled());

        assertEnded(TERMINATED, OptionalInt.of(code), EndCause.CANCELLED, "cancelled", Kind.ENDED);
    }

    @Test
    void cancelledJobThatNeverRanHasNoCode() {
        in(SUBMITTED).onTerminate(0, 10);
        machine.onJobEnded(JobTermination.cancelled());

        assertEnded(TERMINATED, OptionalInt.empty(), EndCause.CANCELLED, "cancelled", Kind.ENDED);
    }

    @Test
    void jobThatItsPlatformCouldNotStartHasNotRun() {
        in(SUBMITTED).onJobEnded(JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), "no such image"));

        assertEnded(FAILED, OptionalInt.empty(), EndCause.START_FAILED, "start failed: no such image", Kind.ENDED);
        assertThat(ends.get(0).startFailure("hello", Optional.empty()).exception())
                .hasMessage("FBR-310 Process 'hello' was not started: start failed: no such image.");
        assertThat(ends.get(0).isByChance()).isFalse();
    }

    @Test
    void startForWhichThePlatformHadNoRoomSaysNothingOfTheNext() {
        in(SUBMITTED).onJobEnded(JobTermination.failed(EndCause.NO_ROOM, OptionalInt.empty(), "others hold it"));

        assertThat(ends.get(0).startFailure("hello", Optional.empty()).exception())
                .hasMessage("FBR-310 Process 'hello' was not started: no room: others hold it.");
        assertThat(ends.get(0).isByChance()).isTrue();
        assertThat(ends.get(0).isTaken()).isFalse();
    }

    @Test
    void runsFromNewToExited() {
        assertThat(machine.state()).isEqualTo(NEW);
        in(RUNNING).onJobEnded(JobTermination.exited(3));

        assertEnded(EXITED, OptionalInt.of(3), EndCause.EXITED, "exit code 3", Kind.ENDED);
        assertThat(cancels).isEmpty();
    }

    @Test
    void readyImpliesThatTheJobRuns() {
        in(SUBMITTED).onReady(7);

        assertThat(machine.state()).isEqualTo(RUNNING);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessState.class,
            names = {"SUBMITTED", "STARTING"})
    void endBeforeReadyIsAFailedStart(ProcessState state) {
        in(state).onJobEnded(JobTermination.exited(0));

        assertEnded(FAILED, OptionalInt.of(0), EndCause.EXITED, "exit code 0", Kind.ENDED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"REJECTED", "UNAVAILABLE"})
    void refusalIsAFailedStartThatSaysWhichOne(Kind kind) {
        in(SUBMITTED).onRefused(kind, "no such queue", Optional.empty());

        assertEnded(FAILED, OptionalInt.empty(), EndCause.START_FAILED, "no such queue", kind);
    }

    @Test
    void refusalOfAJobThatWasToEndIsItsEnd() {
        in(SUBMITTED).onTerminate(0, 0);
        machine.onRefused(Kind.REJECTED, "no such queue", Optional.empty());

        assertThat(machine.state()).isEqualTo(TERMINATED);
        assertThat(ends).hasSize(1);
    }

    @Test
    void deathOfARunningProcessIsALoss() {
        in(RUNNING).onJobEnded(KILLED);

        assertEnded(LOST, OptionalInt.of(137), EndCause.OUT_OF_MEMORY, "out of memory (exit code 137)", Kind.ENDED);
    }

    @Test
    void goodbyeSaysTheExitCodeThatThePlatformDoesNot() {
        in(RUNNING).onGoodbye(9, 10);
        machine.onJobEnded(JobTermination.lost("forgotten"));

        assertEnded(LOST, OptionalInt.of(9), EndCause.UNKNOWN, "unknown: forgotten", Kind.ENDED);
    }

    @Test
    void startLimitCountsFromTheJobsRunningState() {
        in(SUBMITTED).onTick(1_000_000);
        machine.onJobRunning(1_000_000);
        machine.onJobRunning(1_000_050);
        machine.onTick(1_000_000 + START_NS - 1);
        assertThat(machine.state()).isEqualTo(STARTING);

        machine.onTick(1_000_000 + START_NS);

        assertEnded(FAILED, OptionalInt.empty(), EndCause.START_FAILED, "not ready within 100 ms", Kind.START_LIMIT);
        assertThat(cancels).containsExactly(0L);
    }

    @Test
    void noStartLimitIsLeftOnceItRuns() {
        in(RUNNING).onTick(Long.MAX_VALUE - 1);

        assertThat(machine.state()).isEqualTo(RUNNING);
    }

    @Test
    void limitsHoldWhenTheClockWrapsAround() {
        in(SUBMITTED).onJobRunning(Long.MAX_VALUE - START_NS / 2);
        machine.onTick(Long.MAX_VALUE);
        assertThat(machine.state()).isEqualTo(STARTING);
        machine.onTick(Long.MIN_VALUE + START_NS / 2);

        assertThat(machine.state()).isEqualTo(FAILED);
    }

    @Test
    void lostConnectionAwaitsThePlatformsWord() {
        in(RUNNING).onLinkGone("silent", 1_000);
        machine.onLinkGone("again", 1_010);
        machine.onTick(1_000 + EXIT_NS - 1);
        assertThat(machine.state()).isEqualTo(RUNNING);

        machine.onTick(1_000 + EXIT_NS);

        assertEnded(LOST, OptionalInt.empty(), EndCause.UNKNOWN, "connection lost: silent", Kind.ENDED);
        assertThat(cancels).containsExactly(0L);
    }

    @Test
    void wordOfThePlatformCountsMoreThanTheLostConnection() {
        in(RUNNING).onLinkGone("silent", 1_000);
        machine.onJobEnded(JobTermination.exited(2));

        assertEnded(EXITED, OptionalInt.of(2), EndCause.EXITED, "exit code 2", Kind.ENDED);
    }

    @Test
    void goodbyeBeforeTheConnectionEndedIsAnExitEvenWhenThePlatformIsSilent() {
        in(RUNNING).onGoodbye(0, 10);
        machine.onLinkGone("closed", 1_000);
        machine.onTick(1_000 + EXIT_NS);

        assertEnded(EXITED, OptionalInt.of(0), EndCause.EXITED, "exit code 0, as the process reported", Kind.ENDED);
    }

    @Test
    void processThatHasSaidGoodbyeHasTheGraceForItsShutdownHooks() {
        in(RUNNING).onGoodbye(0, 10);
        machine.onTick(10 + END_NS + EXIT_NS - 1);
        assertThat(machine.state()).isEqualTo(RUNNING);
        assertThat(cancels).isEmpty();
        machine.onJobEnded(JobTermination.exited(0));

        assertEnded(EXITED, OptionalInt.of(0), EndCause.EXITED, "exit code 0", Kind.ENDED);
    }

    @Test
    void orderlyEndOfWhichNeitherLinkNorPlatformTellsIsAnExit() {
        in(RUNNING).onGoodbye(0, 10);
        machine.onTick(10 + END_NS + EXIT_NS);

        assertThat(cancels).containsExactly(0L);
        assertEnded(EXITED, OptionalInt.of(0), EndCause.EXITED, "exit code 0, as the process reported", Kind.ENDED);
    }

    @Test
    void startThatFailsAndDoesNotEndHasTheCodeThatItSaid() {
        in(STARTING).onGoodbye(71, 10);
        machine.onTick(10 + END_NS + EXIT_NS);

        assertThat(cancels).containsExactly(0L);
        assertEnded(FAILED, OptionalInt.of(71), EndCause.EXITED, "exit code 71, as the process reported", Kind.ENDED);
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, LOST", "STARTING, FAILED"})
    void processWhoseShutdownHooksDoNotEndIsKilled(ProcessState state, ProcessState last) {
        in(state).onGoodbye(0, 10);
        machine.onHalting();
        machine.onTick(10 + END_NS + EXIT_NS);

        assertThat(cancels).containsExactly(0L);
        assertEnded(last, OptionalInt.of(137), EndCause.SIGNALLED, HALTED, Kind.HALTED);
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, LOST", "STARTING, FAILED"})
    void haltedProcessWhoseLinkIsGoneIsKilledThoughThePlatformIsSilent(ProcessState state, ProcessState last) {
        in(state).onGoodbye(0, 10);
        machine.onHalting();
        machine.onLinkGone("closed", 1_000);
        machine.onTick(1_000 + EXIT_NS);

        assertThat(cancels).containsExactly(0L);
        assertEnded(last, OptionalInt.of(137), EndCause.SIGNALLED, HALTED, Kind.HALTED);
    }

    @Test
    void haltedProcessOfWhichThePlatformKnowsNoCodeHasThatOfAKill() {
        in(RUNNING).onGoodbye(0, 10);
        machine.onHalting();
        machine.onJobEnded(JobTermination.lost("forgotten"));

        assertEnded(LOST, OptionalInt.of(137), EndCause.SIGNALLED, HALTED, Kind.HALTED);
    }

    @Test
    void haltedProcessThatWasTerminatedHasTheCodeOfAKillThoughThePlatformIsSilent() {
        in(TERMINATING).onGoodbye(0, 10);
        machine.onHalting();
        machine.onTick(10 + 5 + CANCEL_NS);

        assertEnded(TERMINATED, OptionalInt.of(137), EndCause.CANCELLED, HALTED, Kind.HALTED);
    }

    @ParameterizedTest
    @EnumSource(names = {"EXITED", "SIGNALLED", "UNKNOWN"})
    void processThatHaltedItselfWasKilledWhateverThePlatformSays(EndCause cause) {
        in(RUNNING).onGoodbye(0, 10);
        machine.onHalting();
        machine.onJobEnded(JobTermination.failed(cause, OptionalInt.of(137), "perhaps the kernel needed the memory"));

        assertEnded(LOST, OptionalInt.of(137), EndCause.SIGNALLED, HALTED, Kind.HALTED);
    }

    @Test
    void terminatedProcessThatHaltedItselfSaysSo() {
        in(TERMINATING).onHalting();
        machine.onJobEnded(JobTermination.cancelled(OptionalInt.of(137)));

        assertEnded(TERMINATED, OptionalInt.of(137), EndCause.CANCELLED, HALTED, Kind.HALTED);
    }

    @Test
    void connectionThatIsLostWhileStartingFailsTheStart() {
        in(STARTING).onLinkGone("refused", 10);
        machine.onTick(10 + EXIT_NS);

        assertEnded(FAILED, OptionalInt.empty(), EndCause.UNKNOWN, "connection lost: refused", Kind.ENDED);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessState.class,
            names = {"SUBMITTED", "STARTING", "RUNNING"})
    void terminateCancelsTheJobAndAwaitsItsEnd(ProcessState state) {
        in(state).onTerminate(5, 200);
        assertThat(machine.state()).isEqualTo(TERMINATING);
        assertThat(cancels).containsExactly(5 + EXIT_NS);
        machine.onReady(201);
        machine.onJobRunning(201);
        machine.onJobEnded(JobTermination.cancelled());

        OptionalInt code = state == SUBMITTED ? OptionalInt.empty() : OptionalInt.of(143);
        assertEnded(TERMINATED, code, EndCause.CANCELLED, "cancelled", Kind.ENDED);
    }

    @Test
    void terminateBeforeTheStartNeedsNobody() {
        machine.onTerminate(5, 0);

        assertEnded(
                TERMINATED, OptionalInt.empty(), EndCause.CANCELLED, "terminated before it was started", Kind.ENDED);
        assertThat(cancels).isEmpty();
    }

    @Test
    void secondTerminateMayBeHarsher() {
        in(RUNNING).onTerminate(1_000, 0);
        machine.onTerminate(0, 10);
        machine.onTick(10 + CANCEL_NS);

        assertThat(cancels).containsExactly(1_000 + EXIT_NS, 0L);
        assertThat(machine.state()).isEqualTo(TERMINATED);
    }

    @Test
    void platformThatConfirmsNothingIsNotAwaitedForEver() {
        in(RUNNING).onTerminate(5, 200);
        machine.onTick(200 + 5 + CANCEL_NS - 1);
        assertThat(ends).isEmpty();
        machine.onTick(200 + 5 + CANCEL_NS);

        assertEnded(
                TERMINATED,
                OptionalInt.empty(),
                EndCause.CANCELLED,
                "cancelled; the platform has not confirmed it",
                Kind.ENDED);
    }

    @Test
    void graceBeyondAllTimeDoesNotEndAtOnce() {
        in(RUNNING).onTerminate(Long.MAX_VALUE, 200);
        machine.onTick(201);
        machine.onTick(1_000_000);

        assertThat(machine.state()).isEqualTo(TERMINATING);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessState.class,
            names = {"EXITED", "FAILED", "LOST", "TERMINATED"})
    void finalStateStays(ProcessState state) {
        in(state);
        int before = ends.size();
        machine.onRefused(Kind.REJECTED, "late", Optional.empty());
        machine.onJobRunning(1);
        machine.onReady(1);
        machine.onGoodbye(1, 1);
        machine.onLinkGone("late", 1);
        machine.onJobEnded(JobTermination.exited(7));
        machine.onTerminate(1, 1);
        machine.onTick(Long.MAX_VALUE - 1);

        assertThat(machine.state()).isEqualTo(state);
        assertThat(ends).hasSize(before);
        assertThat(cancels).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessState.class,
            names = {"NEW"},
            mode = EnumSource.Mode.EXCLUDE)
    void secondSubmissionIsAFaultThatTellsTheStory(ProcessState state) {
        in(state);
        assertThatThrownBy(machine::onSubmit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("A process cannot go from " + state + " to SUBMITTED. So far:\n  ")
                .hasMessageEndingWith(state + " -> SUBMITTED: submitted");
        assertThat(machine.state()).isEqualTo(state);
    }

    @Test
    void endOfAJobThatWasNeverSubmittedIsAFault() {
        assertThatThrownBy(() -> machine.onJobEnded(JobTermination.exited(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A process cannot go from NEW to FAILED. So far:\n  NEW -> FAILED: exit code 0");
    }

    @Test
    void refusalOfARunningJobIsAFault() {
        in(RUNNING);
        assertThatThrownBy(() -> machine.onRefused(Kind.REJECTED, "too late", Optional.empty()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NEW -> SUBMITTED: submitted\n  SUBMITTED -> STARTING: the job runs")
                .hasMessageEndingWith("RUNNING -> FAILED: too late");
    }

    @Test
    void endToldAheadOfTheLastWordsAwaitsTheGoodbye() {
        in(RUNNING).onJobEndedAhead(JobTermination.exited(0), 10);
        assertThat(ends).isEmpty();

        machine.onTick(10 + EXIT_NS - 1);
        assertThat(ends).isEmpty();
        machine.onGoodbye(0, 10);

        assertEnded(EXITED, OptionalInt.of(0), EndCause.EXITED, "exit code 0", Kind.ENDED);
    }

    @Test
    void endToldAheadIsBelievedWhenTheLinkEnds() {
        in(RUNNING).onJobEndedAhead(JobTermination.exited(3), 10);
        machine.onLinkGone("closed by the worker", 11);

        assertEnded(EXITED, OptionalInt.of(3), EndCause.EXITED, "exit code 3", Kind.ENDED);
    }

    @Test
    void endToldAheadIsBelievedAfterTheLimit() {
        in(RUNNING).onJobEndedAhead(JobTermination.exited(3), 10);
        machine.onTick(10 + EXIT_NS);

        assertEnded(EXITED, OptionalInt.of(3), EndCause.EXITED, "exit code 3", Kind.ENDED);
        assertThat(cancels).isEmpty();
    }

    @Test
    void whatHasNoLastWordsEndsAtOnce() {
        in(RUNNING).onJobEndedAhead(KILLED, 10);

        assertThat(machine.state()).isEqualTo(LOST);
    }

    @Test
    void terminateOfAJobThatHasEndedCancelsNothing() {
        in(RUNNING).onJobEndedAhead(JobTermination.exited(0), 10);
        machine.onTerminate(5, 11);

        assertEnded(EXITED, OptionalInt.of(0), EndCause.EXITED, "exit code 0", Kind.ENDED);
        assertThat(cancels).isEmpty();
    }
}
