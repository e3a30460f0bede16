// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.Operation.AWAIT;
import static io.fiber.runtime.shared.machines.Operation.EPOCH;
import static io.fiber.runtime.shared.machines.Operation.HOLDS;
import static io.fiber.runtime.shared.machines.Operation.IS_LOCKED;
import static io.fiber.runtime.shared.machines.Operation.LOCK;
import static io.fiber.runtime.shared.machines.Operation.NEW_CONDITION;
import static io.fiber.runtime.shared.machines.Operation.RELOCK;
import static io.fiber.runtime.shared.machines.Operation.SIGNAL;
import static io.fiber.runtime.shared.machines.Operation.SIGNAL_ALL;
import static io.fiber.runtime.shared.machines.Operation.TRY_LOCK;
import static io.fiber.runtime.shared.machines.Operation.UNLOCK;
import static io.fiber.runtime.shared.machines.Operation.WAS_ABANDONED;
import static io.fiber.runtime.shared.machines.Recorder.party;
import static io.fiber.runtime.shared.machines.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);
    private static final Party C = party(3);

    private final Recorder recorder = new Recorder();

    @BeforeEach
    void hostLock() {
        recorder.of(LockMachine.plain());
    }

    private long condition() {
        return recorder.now(NEW_CONDITION, A, 0).number();
    }

    @Test
    void whoWaitsGetsTheLockInTheOrderOfAskingAndWithAGreaterEpoch() {
        assertThat(recorder.now(LOCK, A, 0).number()).isEqualTo(1);
        AskedCall second = recorder.ask(LOCK, B);
        AskedCall third = recorder.ask(LOCK, C);
        recorder.ask(UNLOCK, A);
        assertThat(recorder.replyTo(second).number()).isEqualTo(2);
        assertThat(recorder.waits(third)).isTrue();
        recorder.ask(UNLOCK, B);
        assertThat(recorder.replyTo(third).number()).isEqualTo(3);
        recorder.ask(UNLOCK, C);
        assertThat(recorder.now(IS_LOCKED, A, 0).number()).isZero();
    }

    @Test
    void twoThreadsOfOneProcessAreTwoHolders() {
        recorder.ask(LOCK, A);
        AskedCall other = recorder.ask(LOCK, new Party(process(1), 2));
        assertThat(recorder.waits(other)).isTrue();
        assertThat(recorder.now(UNLOCK, new Party(process(1), 2), 0).outcome()).isEqualTo(Outcome.NOT_HELD);
        recorder.ask(UNLOCK, A);
        assertThat(recorder.outcome(other)).isEqualTo(Outcome.DONE);
    }

    @Test
    void tryLockNeverWaits() {
        assertThat(recorder.now(TRY_LOCK, A, 0).outcome()).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(TRY_LOCK, B, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void aPlainLockIsNotHadTwiceAndOnlyTheHolderGivesItBack() {
        recorder.ask(LOCK, A);
        assertThat(recorder.now(LOCK, A, 0).outcome()).isEqualTo(Outcome.ALREADY_HELD);
        assertThat(recorder.now(UNLOCK, B, 0).outcome()).isEqualTo(Outcome.NOT_HELD);
        assertThat(recorder.now(EPOCH, B, 0).outcome()).isEqualTo(Outcome.NOT_HELD);
        assertThat(recorder.now(EPOCH, A, 0).number()).isEqualTo(1);
    }

    @Test
    void aReentrantLockIsUnlockedAsOftenAsItWasLocked() {
        recorder.of(LockMachine.reentrant());
        recorder.ask(LOCK, A);
        assertThat(recorder.now(LOCK, A, 0).number()).isEqualTo(1);
        assertThat(recorder.now(HOLDS, A, 0).number()).isEqualTo(2);
        AskedCall other = recorder.ask(LOCK, B);
        recorder.ask(UNLOCK, A);
        assertThat(recorder.waits(other)).isTrue();
        recorder.ask(UNLOCK, A);
        assertThat(recorder.replyTo(other).number()).isEqualTo(2);
    }

    @Test
    void whoWithdrawsIsPassedOver() {
        recorder.ask(LOCK, A);
        AskedCall second = recorder.ask(LOCK, B);
        AskedCall third = recorder.ask(LOCK, C);
        recorder.giveUp(second);
        recorder.ask(UNLOCK, A);
        assertThat(recorder.waits(second)).isTrue();
        assertThat(recorder.outcome(third)).isEqualTo(Outcome.DONE);
    }

    @Test
    void aWithdrawalThatCrossesTheGrantChangesNothing() {
        recorder.ask(LOCK, A);
        AskedCall second = recorder.ask(LOCK, B);
        recorder.ask(UNLOCK, A);
        recorder.giveUp(second);
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(UNLOCK, B, 0).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void theNextHolderLearnsOnceThatTheLockWasAbandoned() {
        recorder.ask(LOCK, A);
        AskedCall next = recorder.ask(LOCK, B);
        recorder.end(process(1));
        assertThat(recorder.replyTo(next).number()).isEqualTo(2);
        assertThat(recorder.now(WAS_ABANDONED, B, 0).number()).isEqualTo(1);
        assertThat(recorder.now(WAS_ABANDONED, B, 0).number()).isZero();
    }

    @Test
    void aReleaseForgetsThatTheLockWasAbandoned() {
        recorder.ask(LOCK, A);
        recorder.end(process(1));
        recorder.ask(LOCK, B);
        recorder.ask(UNLOCK, B);
        recorder.ask(LOCK, C);
        assertThat(recorder.now(WAS_ABANDONED, C, 0).number()).isZero();
    }

    @Test
    void aCallOfAnEndedLeaseIsRefused() {
        recorder.ask(LOCK, A);
        recorder.end(process(1));
        recorder.ask(LOCK, B);
        SyncReply late = recorder.now(UNLOCK, A, 0);
        assertThat(late.outcome()).isEqualTo(Outcome.NOT_HELD);
        assertThat(recorder.now(EPOCH, B, 0).number()).isEqualTo(2);
    }

    @Test
    void theEndOfAWaitingProcessDisturbsNobody() {
        recorder.ask(LOCK, A);
        AskedCall second = recorder.ask(LOCK, B);
        AskedCall third = recorder.ask(LOCK, C);
        recorder.end(process(2));
        assertThat(recorder.waits(third)).isTrue();
        recorder.ask(UNLOCK, A);
        assertThat(recorder.waits(second)).isTrue();
        assertThat(recorder.outcome(third)).isEqualTo(Outcome.DONE);
    }

    @Test
    void awaitGivesTheLockBackAndASignalBringsItAgain() {
        recorder.of(LockMachine.reentrant());
        long condition = condition();
        recorder.ask(LOCK, A);
        recorder.ask(LOCK, A);
        AskedCall waiter = recorder.ask(AWAIT, A, condition);
        recorder.ask(LOCK, B);
        recorder.ask(SIGNAL, B, condition);
        assertThat(recorder.waits(waiter)).isTrue();
        recorder.ask(UNLOCK, B);
        assertThat(recorder.outcome(waiter)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(HOLDS, A, 0).number()).isEqualTo(2);
        assertThat(recorder.now(EPOCH, A, 0).number()).isEqualTo(3);
    }

    @Test
    void signalWakesTheOneThatHasWaitedLongestAndSignalAllTheRest() {
        long condition = condition();
        AskedCall[] waiters = new AskedCall[3];
        Party[] parties = {A, B, C};
        for (int i = 0; i < 3; i++) {
            recorder.ask(LOCK, parties[i]);
            waiters[i] = recorder.ask(AWAIT, parties[i], condition);
        }
        Party signaller = party(4);
        recorder.ask(LOCK, signaller);
        recorder.ask(SIGNAL, signaller, condition);
        recorder.ask(UNLOCK, signaller);
        assertThat(recorder.outcome(waiters[0])).isEqualTo(Outcome.DONE);
        assertThat(recorder.waits(waiters[1])).isTrue();
        recorder.ask(SIGNAL_ALL, A, condition);
        recorder.ask(UNLOCK, A);
        assertThat(recorder.outcome(waiters[1])).isEqualTo(Outcome.DONE);
        recorder.ask(UNLOCK, B);
        assertThat(recorder.outcome(waiters[2])).isEqualTo(Outcome.DONE);
    }

    @Test
    void whoGivesUpWaitingForAConditionComesBackWithTheLock() {
        long condition = condition();
        recorder.ask(LOCK, A);
        AskedCall waiter = recorder.ask(AWAIT, A, condition);
        recorder.ask(LOCK, B);
        recorder.giveUp(waiter);
        AskedCall again = recorder.ask(RELOCK, A);
        assertThat(recorder.waits(again)).isTrue();
        recorder.ask(UNLOCK, B);
        assertThat(recorder.outcome(again)).isEqualTo(Outcome.NOT_SIGNALLED);
        assertThat(recorder.now(HOLDS, A, 0).number()).isEqualTo(1);
    }

    @Test
    void aSignalThatCameBeforeTheWithdrawalCounts() {
        long condition = condition();
        recorder.ask(LOCK, A);
        AskedCall waiter = recorder.ask(AWAIT, A, condition);
        recorder.ask(LOCK, B);
        recorder.ask(SIGNAL, B, condition);
        recorder.giveUp(waiter);
        recorder.ask(UNLOCK, B);
        assertThat(recorder.now(RELOCK, A, 0).outcome()).isEqualTo(Outcome.DONE);
        assertThat(recorder.waits(waiter)).isTrue();
    }

    @Test
    void aSignalForAProcessThatEndsGoesToTheNext() {
        long condition = condition();
        recorder.ask(LOCK, A);
        recorder.ask(AWAIT, A, condition);
        recorder.ask(LOCK, B);
        AskedCall second = recorder.ask(AWAIT, B, condition);
        recorder.ask(LOCK, C);
        recorder.ask(SIGNAL, C, condition);
        recorder.end(process(1));
        recorder.ask(UNLOCK, C);
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.DONE);
    }

    /** It had given up when the signal had come, and has not been back for the lock, which is free. */
    @Test
    void aSignalForAProcessThatEndsBeforeItComesBackForTheLockGoesToTheNext() {
        long condition = condition();
        recorder.ask(LOCK, A);
        AskedCall first = recorder.ask(AWAIT, A, condition);
        recorder.ask(LOCK, B);
        AskedCall second = recorder.ask(AWAIT, B, condition);
        recorder.ask(LOCK, C);
        recorder.ask(SIGNAL, C, condition);
        recorder.giveUp(first);
        recorder.ask(UNLOCK, C);
        assertThat(recorder.waits(second)).isTrue();
        recorder.end(process(1));
        assertThat(recorder.outcome(second)).isEqualTo(Outcome.DONE);
    }

    @Test
    void conditionsNeedTheLockAndMustExist() {
        long condition = condition();
        assertThat(recorder.now(SIGNAL, A, condition).outcome()).isEqualTo(Outcome.NOT_HELD);
        assertThat(recorder.now(AWAIT, A, condition).outcome()).isEqualTo(Outcome.NOT_HELD);
        assertThat(recorder.now(RELOCK, A, 0).outcome()).isEqualTo(Outcome.NOT_HELD);
        recorder.ask(LOCK, A);
        assertThat(recorder.now(SIGNAL, A, 77).outcome()).isEqualTo(Outcome.UNKNOWN_OPERATION);
        assertThat(recorder.now(Operation.ACQUIRE, A, 1).outcome()).isEqualTo(Outcome.UNKNOWN_OPERATION);
    }
}
