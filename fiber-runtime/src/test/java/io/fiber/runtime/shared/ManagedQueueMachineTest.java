// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static io.fiber.runtime.shared.Operation.JOIN;
import static io.fiber.runtime.shared.Operation.OFFER;
import static io.fiber.runtime.shared.Operation.POLL;
import static io.fiber.runtime.shared.Operation.PUT;
import static io.fiber.runtime.shared.Operation.RECEIVED;
import static io.fiber.runtime.shared.Operation.SIZE;
import static io.fiber.runtime.shared.Operation.TAKE;
import static io.fiber.runtime.shared.Operation.TASK_DONE;
import static io.fiber.runtime.shared.Recorder.party;
import static io.fiber.runtime.shared.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import org.junit.jupiter.api.Test;

class ManagedQueueMachineTest {

    private static final LockHolder A = party(1);
    private static final LockHolder B = party(2);
    private static final LockHolder C = party(3);

    private final Recorder recorder = new Recorder();

    private ManagedQueueMachine queue(long capacity) {
        return recorder.of(new ManagedQueueMachine(capacity, recorder));
    }

    private static SealedPayload item(int value) {
        return SealedPayload.open(Payload.of(new byte[] {(byte) value}));
    }

    private SyncTicket put(LockHolder writer, int value) {
        return recorder.ask(PUT, writer, 0, item(value));
    }

    private int value(SyncTicket reader) {
        assertThat(recorder.outcome(reader)).isEqualTo(Outcome.DONE);
        return recorder.replyTo(reader).item().payload().toArray()[0];
    }

    private int take(LockHolder reader) {
        return value(recorder.ask(TAKE, reader, ManagedQueueMachine.KEPT));
    }

    @Test
    void itemsComeInOrderAndWaitingReadersInTheirs() {
        queue(Long.MAX_VALUE);
        SyncTicket first = recorder.ask(TAKE, A);
        SyncTicket second = recorder.ask(TAKE, B);
        put(C, 1);
        put(C, 2);
        put(C, 3);
        assertThat(value(first)).isEqualTo(1);
        assertThat(value(second)).isEqualTo(2);
        assertThat(take(A)).isEqualTo(3);
        assertThat(recorder.now(POLL, A, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void aFullQueueLetsWritersWait() {
        queue(1);
        put(A, 1);
        SyncTicket waiting = put(A, 2);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(recorder.outcome(recorder.ask(OFFER, B, 0, item(3)))).isEqualTo(Outcome.WOULD_WAIT);
        assertThat(take(B)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(SIZE, B, 0).number()).isEqualTo(1);
        assertThat(take(B)).isEqualTo(2);
    }

    @Test
    void withdrawnReadersAndWritersLeaveNothingBehind() {
        ManagedQueueMachine queue = queue(1);
        SyncTicket reader = recorder.ask(TAKE, A);
        queue.onWithdraw(reader);
        put(B, 1);
        SyncTicket writer = put(B, 2);
        queue.onWithdraw(writer);
        assertThat(recorder.waits(reader)).isTrue();
        assertThat(recorder.waits(writer)).isTrue();
        assertThat(take(C)).isEqualTo(1);
        assertThat(recorder.now(SIZE, C, 0).number()).isZero();
    }

    @Test
    void joinWaitsUntilAllThatWasPutIsDone() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        SyncTicket join = recorder.ask(JOIN, A);
        take(B);
        take(B);
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.waits(join)).isTrue();
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(TASK_DONE, B, 0).outcome()).isEqualTo(Outcome.NOTHING_TAKEN);
        assertThat(recorder.now(JOIN, A, 0).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void itemsThatAnEndedProcessDidNotFinishReturnToTheHeadInOrder() {
        ManagedQueueMachine queue = queue(Long.MAX_VALUE);
        for (int i = 1; i <= 4; i++) {
            put(A, i);
        }
        take(B);
        take(C);
        take(B);
        recorder.ask(TASK_DONE, B);
        queue.onGone(process(2));
        assertThat(take(C)).isEqualTo(3);
        assertThat(take(C)).isEqualTo(4);
        SyncTicket join = recorder.ask(JOIN, A);
        for (int i = 0; i < 3; i++) {
            assertThat(recorder.waits(join)).isTrue();
            recorder.ask(TASK_DONE, C);
        }
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
    }

    @Test
    void aThreadFinishesItsOwnItemsFirst() {
        ManagedQueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        LockHolder otherThread = new LockHolder(process(2), 9);
        take(B);
        take(otherThread);
        recorder.ask(TASK_DONE, otherThread);
        queue.onGone(process(2));
        assertThat(take(C)).isEqualTo(1);
        recorder.ask(TASK_DONE, C);
        assertThat(recorder.now(JOIN, A, 0).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void whatAReaderHasReceivedDoesNotReturnWhenItEnds() {
        ManagedQueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        SyncTicket first = recorder.ask(TAKE, B, ManagedQueueMachine.KEPT);
        SyncTicket second = recorder.ask(POLL, B, ManagedQueueMachine.KEPT);
        recorder.ask(RECEIVED, B, recorder.replyTo(first).number());
        queue.onGone(process(2));
        assertThat(value(second)).isEqualTo(2);
        assertThat(take(C)).isEqualTo(2);
        assertThat(recorder.now(POLL, C, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void whatAReaderIsGivenIsGoneWithIt() {
        ManagedQueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        assertThat(value(recorder.ask(TAKE, B, ManagedQueueMachine.GIVEN))).isEqualTo(1);
        queue.onGone(process(2));
        assertThat(recorder.now(SIZE, C, 0).number()).isZero();
    }

    /** Its process has ended meanwhile, and another has the item. */
    @Test
    void aReceiptThatComesTooLateTakesNothingFromAnother() {
        ManagedQueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        long delivery = recorder.replyTo(recorder.ask(TAKE, B, ManagedQueueMachine.KEPT))
                .number();
        queue.onGone(process(2));
        recorder.ask(RECEIVED, B, delivery);
        assertThat(take(C)).isEqualTo(1);
        queue.onGone(process(3));
        assertThat(take(A)).isEqualTo(1);
    }
}
