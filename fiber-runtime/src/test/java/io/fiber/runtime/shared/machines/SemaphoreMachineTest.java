// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.Operation.ACQUIRE;
import static io.fiber.runtime.shared.machines.Operation.AVAILABLE;
import static io.fiber.runtime.shared.machines.Operation.RELEASE;
import static io.fiber.runtime.shared.machines.Operation.TRY_ACQUIRE;
import static io.fiber.runtime.shared.machines.Recorder.party;
import static io.fiber.runtime.shared.machines.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SemaphoreMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);
    private static final Party C = party(3);

    private final Recorder recorder = new Recorder();

    private void semaphore(long permits, long bound) {
        recorder.of(new SemaphoreMachine(permits, bound));
    }

    private long available() {
        return recorder.now(AVAILABLE, A, 0).number();
    }

    @Test
    void whoWantsManyIsNotOvertaken() {
        semaphore(2, Long.MAX_VALUE);
        recorder.ask(ACQUIRE, A, 1);
        AskedCall many = recorder.ask(ACQUIRE, B, 2);
        AskedCall few = recorder.ask(ACQUIRE, C, 1);
        assertThat(recorder.now(TRY_ACQUIRE, C, 1).outcome()).isEqualTo(Outcome.WOULD_WAIT);
        recorder.ask(RELEASE, A, 1);
        assertThat(recorder.outcome(many)).isEqualTo(Outcome.DONE);
        assertThat(recorder.waits(few)).isTrue();
        recorder.ask(RELEASE, B, 1);
        assertThat(recorder.outcome(few)).isEqualTo(Outcome.DONE);
    }

    @Test
    void permitsOfAProcessThatEndsReturn() {
        semaphore(3, Long.MAX_VALUE);
        recorder.ask(ACQUIRE, A, 3);
        recorder.ask(RELEASE, A, 1);
        AskedCall waiting = recorder.ask(ACQUIRE, B, 3);
        recorder.end(process(1));
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(available()).isZero();
    }

    @Test
    void aPermitThatAnotherProcessReleasedDoesNotReturnTwice() {
        semaphore(1, Long.MAX_VALUE);
        recorder.ask(ACQUIRE, A, 1);
        recorder.ask(RELEASE, B, 1);
        recorder.end(process(1));
        assertThat(available()).isEqualTo(1);
    }

    @Test
    void aBoundedSemaphoreRefusesWhatWouldExceedIt() {
        semaphore(2, 2);
        assertThat(recorder.now(RELEASE, A, 1).outcome()).isEqualTo(Outcome.TOO_MANY);
        assertThat(recorder.now(ACQUIRE, A, 3).outcome()).isEqualTo(Outcome.TOO_MANY);
        assertThat(available()).isEqualTo(2);
    }

    @Test
    void aPlainSemaphoreGrows() {
        semaphore(0, Long.MAX_VALUE);
        AskedCall waiting = recorder.ask(ACQUIRE, A, 2);
        recorder.ask(RELEASE, B, 5);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(available()).isEqualTo(3);
    }

    @Test
    void aWithdrawalOfTheFirstLetsTheNextGo() {
        semaphore(1, Long.MAX_VALUE);
        AskedCall many = recorder.ask(ACQUIRE, A, 5);
        AskedCall one = recorder.ask(ACQUIRE, B, 1);
        recorder.giveUp(many);
        assertThat(recorder.waits(many)).isTrue();
        assertThat(recorder.outcome(one)).isEqualTo(Outcome.DONE);
        recorder.giveUp(one);
        assertThat(available()).isZero();
    }
}
