// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.Operation.CLEAR;
import static io.fiber.runtime.shared.machines.Operation.IS_SET;
import static io.fiber.runtime.shared.machines.Operation.SET;
import static io.fiber.runtime.shared.machines.Operation.WAIT;
import static io.fiber.runtime.shared.machines.Recorder.party;
import static io.fiber.runtime.shared.machines.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);

    private final Recorder recorder = new Recorder();

    @BeforeEach
    void hostEvent() {
        recorder.of(new EventMachine());
    }

    @Test
    void settingLetsAllGoAndStaysUntilItIsCleared() {
        AskedCall first = recorder.ask(WAIT, A);
        AskedCall second = recorder.ask(WAIT, B);
        recorder.ask(SET, A);
        assertThat(recorder.outcome(first)).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(WAIT, B, 0).outcome()).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(IS_SET, B, 0).number()).isEqualTo(1);
        recorder.ask(CLEAR, B);
        assertThat(recorder.now(IS_SET, B, 0).number()).isZero();
        assertThat(recorder.waits(recorder.ask(WAIT, A))).isTrue();
    }

    @Test
    void whoWithdrawsOrEndsWaitsNoMore() {
        AskedCall withdrawn = recorder.ask(WAIT, A);
        AskedCall gone = recorder.ask(WAIT, B);
        recorder.giveUp(withdrawn);
        recorder.end(process(2));
        recorder.ask(SET, A);
        assertThat(recorder.waits(withdrawn)).isTrue();
        assertThat(recorder.waits(gone)).isTrue();
    }
}
