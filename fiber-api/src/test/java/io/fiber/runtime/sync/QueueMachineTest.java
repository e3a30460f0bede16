// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.sync;

import static io.fiber.runtime.sync.Operation.JOIN;
import static io.fiber.runtime.sync.Operation.OFFER;
import static io.fiber.runtime.sync.Operation.POLL;
import static io.fiber.runtime.sync.Operation.PUT;
import static io.fiber.runtime.sync.Operation.RECEIVED;
import static io.fiber.runtime.sync.Operation.SIZE;
import static io.fiber.runtime.sync.Operation.TAKE;
import static io.fiber.runtime.sync.Operation.TASK_DONE;
import static io.fiber.runtime.sync.Recorder.party;
import static io.fiber.runtime.sync.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import org.junit.jupiter.api.Test;

class QueueMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);
    private static final Party C = party(3);

    private final Recorder recorder = new Recorder();

    private QueueMachine queue(long capacity) {
        return recorder.of(new QueueMachine(capacity, recorder));
    }

    private static Parcel item(int value) {
        return Parcel.open(Payload.of(new byte[] {(byte) value}));
    }

    private Ticket put(Party writer, int value) {
        return recorder.ask(PUT, writer, 0, item(value));
    }

    private int value(Ticket reader) {
        assertThat(recorder.outcome(reader)).isEqualTo(Outcome.DONE);
        return recorder.replyTo(reader).item().payload().toArray()[0];
    }

    private int take(Party reader) {
        return value(recorder.ask(TAKE, reader, QueueMachine.KEPT));
    }

    @Test
    void itemsComeInOrderAndWaitingReadersInTheirs() {
        queue(Long.MAX_VALUE);
        Ticket first = recorder.ask(TAKE, A);
        Ticket second = recorder.ask(TAKE, B);
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
        Ticket waiting = put(A, 2);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(recorder.outcome(recorder.ask(OFFER, B, 0, item(3)))).isEqualTo(Outcome.WOULD_WAIT);
        assertThat(take(B)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(SIZE, B, 0).number()).isEqualTo(1);
        assertThat(take(B)).isEqualTo(2);
    }

    @Test
    void withdrawnReadersAndWritersLeaveNothingBehind() {
        QueueMachine queue = queue(1);
        Ticket reader = recorder.ask(TAKE, A);
        queue.onWithdraw(reader);
        put(B, 1);
        Ticket writer = put(B, 2);
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
        Ticket join = recorder.ask(JOIN, A);
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
        QueueMachine queue = queue(Long.MAX_VALUE);
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
        Ticket join = recorder.ask(JOIN, A);
        for (int i = 0; i < 3; i++) {
            assertThat(recorder.waits(join)).isTrue();
            recorder.ask(TASK_DONE, C);
        }
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
    }

    @Test
    void aThreadFinishesItsOwnItemsFirst() {
        QueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        Party otherThread = new Party(process(2), 9);
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
        QueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        Ticket first = recorder.ask(TAKE, B, QueueMachine.KEPT);
        Ticket second = recorder.ask(POLL, B, QueueMachine.KEPT);
        recorder.ask(RECEIVED, B, recorder.replyTo(first).number());
        queue.onGone(process(2));
        assertThat(value(second)).isEqualTo(2);
        assertThat(take(C)).isEqualTo(2);
        assertThat(recorder.now(POLL, C, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void whatAReaderIsGivenIsGoneWithIt() {
        QueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        assertThat(value(recorder.ask(TAKE, B, QueueMachine.GIVEN))).isEqualTo(1);
        queue.onGone(process(2));
        assertThat(recorder.now(SIZE, C, 0).number()).isZero();
    }

    /** Its process has ended meanwhile, and another has the item. */
    @Test
    void aReceiptThatComesTooLateTakesNothingFromAnother() {
        QueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        long delivery =
                recorder.replyTo(recorder.ask(TAKE, B, QueueMachine.KEPT)).number();
        queue.onGone(process(2));
        recorder.ask(RECEIVED, B, delivery);
        assertThat(take(C)).isEqualTo(1);
        queue.onGone(process(3));
        assertThat(take(A)).isEqualTo(1);
    }
}
