// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.Operation.ACTION_DONE;
import static io.fiber.runtime.shared.machines.Operation.ACTION_FAILED;
import static io.fiber.runtime.shared.machines.Operation.ARRIVE;
import static io.fiber.runtime.shared.machines.Operation.BREAK;
import static io.fiber.runtime.shared.machines.Operation.IS_BROKEN;
import static io.fiber.runtime.shared.machines.Operation.RESET;
import static io.fiber.runtime.shared.machines.Operation.WAITING;
import static io.fiber.runtime.shared.machines.Recorder.party;
import static io.fiber.runtime.shared.machines.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.SealedPayload;
import org.junit.jupiter.api.Test;

class BarrierMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);
    private static final Party C = party(3);
    private static final Party D = party(4);

    private final Recorder recorder = new Recorder();

    @Test
    void theLastArrivalLetsAllGoWithTheirIndexesAgainAndAgain() {
        recorder.of(BarrierMachine.plain(2));
        for (int round = 0; round < 3; round++) {
            AskedCall first = recorder.ask(ARRIVE, A);
            assertThat(recorder.waits(first)).isTrue();
            AskedCall last = recorder.ask(ARRIVE, B);
            assertThat(recorder.replyTo(first)).isEqualTo(new SyncReply(Outcome.DONE, 1, SealedPayload.none()));
            assertThat(recorder.replyTo(last)).isEqualTo(new SyncReply(Outcome.DONE, 0, SealedPayload.none()));
        }
    }

    @Test
    void theOthersWaitUntilTheActionIsDone() {
        recorder.of(BarrierMachine.withAction(2));
        AskedCall first = recorder.ask(ARRIVE, A);
        AskedCall last = recorder.ask(ARRIVE, B);
        assertThat(recorder.outcome(last)).isEqualTo(Outcome.RUN_ACTION);
        assertThat(recorder.waits(first)).isTrue();
        AskedCall nextGroup = recorder.ask(ARRIVE, C);
        AskedCall nextLast = recorder.ask(ARRIVE, D);
        assertThat(recorder.waits(nextLast)).isTrue();
        assertThat(recorder.now(ACTION_DONE, B, 0).outcome()).isEqualTo(Outcome.DONE);
        assertThat(recorder.replyTo(first)).isEqualTo(new SyncReply(Outcome.DONE, 1, SealedPayload.none()));
        assertThat(recorder.outcome(nextLast)).isEqualTo(Outcome.RUN_ACTION);
        assertThat(recorder.waits(nextGroup)).isTrue();
    }

    @Test
    void aFailedActionBreaksTheBarrier() {
        recorder.of(BarrierMachine.withAction(2));
        AskedCall first = recorder.ask(ARRIVE, A);
        recorder.ask(ARRIVE, B);
        recorder.ask(ACTION_FAILED, B);
        assertThat(recorder.outcome(first)).isEqualTo(Outcome.BROKEN);
        assertThat(recorder.now(ARRIVE, A, 0).outcome()).isEqualTo(Outcome.BROKEN);
    }

    @Test
    void theEndOfWhoRunsTheActionBreaksTheBarrier() {
        recorder.of(BarrierMachine.withAction(2));
        AskedCall first = recorder.ask(ARRIVE, A);
        recorder.ask(ARRIVE, B);
        recorder.end(process(2));
        assertThat(recorder.outcome(first)).isEqualTo(Outcome.BROKEN);
    }

    @Test
    void whoRanTheActionLearnsThatItsGroupWasBrokenMeanwhile() {
        recorder.of(BarrierMachine.withAction(2));
        AskedCall first = recorder.ask(ARRIVE, A);
        recorder.ask(ARRIVE, B);
        recorder.ask(BREAK, C);
        assertThat(recorder.outcome(first)).isEqualTo(Outcome.BROKEN);
        assertThat(recorder.now(ACTION_DONE, B, 0).outcome()).isEqualTo(Outcome.BROKEN);
    }

    @Test
    void whoDoesNotWaitForTheActionToBeDoneBreaksTheBarrierForAll() {
        recorder.of(BarrierMachine.withAction(3));
        AskedCall first = recorder.ask(ARRIVE, A);
        AskedCall second = recorder.ask(ARRIVE, B);
        recorder.ask(ARRIVE, C);
        recorder.giveUp(first);
        assertThat(recorder.waits(first)).isTrue();
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.BROKEN);
        assertThat(recorder.now(ACTION_DONE, C, 0).outcome()).isEqualTo(Outcome.BROKEN);
        assertThat(recorder.now(IS_BROKEN, D, 0).number()).isEqualTo(1);
    }

    @Test
    void whoWithdrawsBreaksTheBarrierForTheOthers() {
        recorder.of(BarrierMachine.plain(3));
        AskedCall first = recorder.ask(ARRIVE, A);
        AskedCall second = recorder.ask(ARRIVE, B);
        assertThat(recorder.now(WAITING, C, 0).number()).isEqualTo(2);
        recorder.giveUp(first);
        assertThat(recorder.waits(first)).isTrue();
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.BROKEN);
        assertThat(recorder.now(IS_BROKEN, C, 0).number()).isEqualTo(1);
    }

    @Test
    void aWaitingProcessThatEndsBreaksTheBarrierAndOneThatDoesNotWaitDoesNot() {
        recorder.of(BarrierMachine.plain(3));
        AskedCall first = recorder.ask(ARRIVE, A);
        AskedCall second = recorder.ask(ARRIVE, B);
        recorder.end(process(3));
        assertThat(recorder.waits(first)).isTrue();
        recorder.end(process(1));
        assertThat(recorder.waits(first)).isTrue();
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.BROKEN);
    }

    @Test
    void resetFreesThoseWhoWaitAndMakesTheBarrierUsable() {
        recorder.of(BarrierMachine.plain(2));
        AskedCall first = recorder.ask(ARRIVE, A);
        recorder.ask(RESET, C);
        assertThat(recorder.outcome(first)).isEqualTo(Outcome.BROKEN);
        recorder.ask(BREAK, C);
        recorder.ask(RESET, C);
        recorder.ask(ARRIVE, A);
        assertThat(recorder.now(ARRIVE, B, 0)).isEqualTo(new SyncReply(Outcome.DONE, 0, SealedPayload.none()));
    }
}
