// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.Operation.CLOSE;
import static io.fiber.runtime.shared.machines.Operation.JOIN;
import static io.fiber.runtime.shared.machines.Operation.OFFER;
import static io.fiber.runtime.shared.machines.Operation.POLL;
import static io.fiber.runtime.shared.machines.Operation.PUT;
import static io.fiber.runtime.shared.machines.Operation.RECEIVED;
import static io.fiber.runtime.shared.machines.Operation.RETURN;
import static io.fiber.runtime.shared.machines.Operation.SEND;
import static io.fiber.runtime.shared.machines.Operation.SIZE;
import static io.fiber.runtime.shared.machines.Operation.TAKE;
import static io.fiber.runtime.shared.machines.Operation.TAKE_AHEAD;
import static io.fiber.runtime.shared.machines.Operation.TASK_DONE;
import static io.fiber.runtime.shared.machines.QueueMachine.Delivery.AT_LEAST_ONCE;
import static io.fiber.runtime.shared.machines.QueueMachine.Delivery.AT_MOST_ONCE;
import static io.fiber.runtime.shared.machines.Recorder.party;
import static io.fiber.runtime.shared.machines.Recorder.process;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueMachineTest {

    private static final Party A = party(1);
    private static final Party B = party(2);
    private static final Party C = party(3);

    private final Recorder recorder = new Recorder();

    private void queue(long capacity) {
        recorder.of(new QueueMachine(capacity, Long.MAX_VALUE));
    }

    private static SealedPayload item(int value) {
        return SealedPayload.open(Payload.of(new byte[] {(byte) value}));
    }

    private AskedCall put(Party writer, int value) {
        return recorder.ask(PUT, writer, 0, item(value));
    }

    private int value(AskedCall reader) {
        assertThat(recorder.outcome(reader)).isIn(Outcome.DONE, Outcome.DONE_WITH_MORE);
        return recorder.replyTo(reader).item().bytes().toArray()[0];
    }

    private int take(Party reader) {
        return value(recorder.ask(TAKE, reader, AT_LEAST_ONCE.number()));
    }

    @Test
    void itemsComeInOrderAndWaitingReadersInTheirs() {
        queue(Long.MAX_VALUE);
        AskedCall first = recorder.ask(TAKE, A);
        AskedCall second = recorder.ask(TAKE, B);
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
        AskedCall waiting = put(A, 2);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(recorder.outcome(recorder.ask(OFFER, B, 0, item(3)))).isEqualTo(Outcome.WOULD_WAIT);
        assertThat(take(B)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(SIZE, B, 0).number()).isEqualTo(1);
        assertThat(take(B)).isEqualTo(2);
    }

    private AskedCall put(Party writer, int value, int bytes) {
        byte[] item = new byte[bytes];
        item[0] = (byte) value;
        return recorder.ask(PUT, writer, 0, SealedPayload.open(Payload.of(item)));
    }

    @Test
    void aQueueIsFullWithSoManyBytes() {
        recorder.of(new QueueMachine(100, 1_000));
        put(A, 1, 600);
        AskedCall waiting = put(A, 2, 600);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(recorder.outcome(recorder.ask(OFFER, B, 0, item(3)))).isEqualTo(Outcome.WOULD_WAIT);
        AskedCall behind = put(B, 4, 400);
        assertThat(recorder.waits(behind)).as("first come, first served").isTrue();
        assertThat(take(C)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(behind)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(SIZE, B, 0).number()).isEqualTo(2);
    }

    @Test
    void oneItemAlwaysFits() {
        recorder.of(new QueueMachine(100, 1_000));
        assertThat(recorder.outcome(put(A, 1, 5_000))).isEqualTo(Outcome.DONE);
        AskedCall waiting = put(A, 2, 5_000);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(take(B)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(take(B)).isEqualTo(2);
        assertThat(recorder.outcome(put(A, 3, 1_000))).isEqualTo(Outcome.DONE);
    }

    @Test
    void writerWithALargeItemThatIsWithdrawnLetsThoseBehindItIn() {
        recorder.of(new QueueMachine(100, 1_000));
        put(A, 1, 600);
        AskedCall large = put(B, 2, 600);
        AskedCall small = put(C, 3, 400);
        recorder.giveUp(large);
        assertThat(recorder.outcome(small)).isEqualTo(Outcome.DONE);
    }

    @Test
    void bytesOfWhatReturnsCountAgain() {
        recorder.of(new QueueMachine(100, 1_000));
        put(A, 1, 600);
        take(B);
        put(A, 2, 600);
        recorder.end(B.process());
        assertThat(take(C)).isEqualTo(1);
        assertThat(recorder.waits(put(A, 3, 600))).isTrue();
        assertThat(take(C)).isEqualTo(2);
        assertThat(recorder.now(SIZE, C, 0).number()).isEqualTo(1);
    }

    @Test
    void withdrawnReadersAndWritersLeaveNothingBehind() {
        queue(1);
        AskedCall reader = recorder.ask(TAKE, A);
        recorder.giveUp(reader);
        put(B, 1);
        AskedCall writer = put(B, 2);
        recorder.giveUp(writer);
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
        AskedCall join = recorder.ask(JOIN, A);
        take(B);
        take(B);
        assertThat(recorder.now(TASK_DONE, C, 0).outcome()).isEqualTo(Outcome.NOTHING_TAKEN);
        assertThat(recorder.now(TASK_DONE, B, 0).outcome()).isEqualTo(Outcome.DONE);
        assertThat(recorder.waits(join)).isTrue();
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(TASK_DONE, B, 0).outcome()).isEqualTo(Outcome.NOTHING_TAKEN);
        assertThat(recorder.now(JOIN, A, 0).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void itemsThatAnEndedProcessDidNotFinishReturnToTheHeadInOrder() {
        queue(Long.MAX_VALUE);
        for (int i = 1; i <= 4; i++) {
            put(A, i);
        }
        take(B);
        take(C);
        take(B);
        recorder.ask(TASK_DONE, B);
        recorder.end(process(2));
        assertThat(take(C)).isEqualTo(3);
        assertThat(take(C)).isEqualTo(4);
        AskedCall join = recorder.ask(JOIN, A);
        for (int i = 0; i < 3; i++) {
            assertThat(recorder.waits(join)).isTrue();
            recorder.ask(TASK_DONE, C);
        }
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
    }

    @Test
    void aThreadFinishesItsOwnItemsFirst() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        Party otherThread = new Party(process(2), 9);
        take(B);
        take(otherThread);
        recorder.ask(TASK_DONE, otherThread);
        recorder.end(process(2));
        assertThat(take(C)).isEqualTo(1);
        recorder.ask(TASK_DONE, C);
        assertThat(recorder.now(JOIN, A, 0).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void whatAReaderHasReceivedDoesNotReturnWhenItEnds() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        AskedCall first = recorder.ask(TAKE, B, AT_LEAST_ONCE.number());
        AskedCall second = recorder.ask(POLL, B, AT_LEAST_ONCE.number());
        recorder.tell(RECEIVED, B, recorder.replyTo(first).number());
        recorder.end(process(2));
        assertThat(value(second)).isEqualTo(2);
        assertThat(take(C)).isEqualTo(2);
        assertThat(recorder.now(POLL, C, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void whatAReaderIsGivenIsGoneWithIt() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        assertThat(value(recorder.ask(TAKE, B, AT_MOST_ONCE.number()))).isEqualTo(1);
        recorder.end(process(2));
        assertThat(recorder.now(SIZE, C, 0).number()).isZero();
    }

    /** Its process has ended meanwhile, and another has the item. */
    @Test
    void aReceiptThatComesTooLateTakesNothingFromAnother() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        long delivery =
                recorder.replyTo(recorder.ask(TAKE, B, AT_LEAST_ONCE.number())).number();
        recorder.end(process(2));
        recorder.tell(RECEIVED, B, delivery);
        assertThat(take(C)).isEqualTo(1);
        recorder.end(process(3));
        assertThat(take(A)).isEqualTo(1);
    }

    @Test
    void closedQueueGivesWhatIsLeftAndRefusesTheRest() {
        queue(2);
        put(A, 1);
        put(A, 2);
        AskedCall waiting = put(A, 3);
        assertThat(recorder.outcome(recorder.ask(CLOSE, B))).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.outcome(put(A, 4))).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.outcome(recorder.ask(OFFER, A, 0, item(5)))).isEqualTo(Outcome.CLOSED);
        AskedCall first = recorder.ask(TAKE, B, AT_LEAST_ONCE.number());
        AskedCall second = recorder.ask(TAKE, B, AT_LEAST_ONCE.number());
        assertThat(value(first)).isEqualTo(1);
        assertThat(value(second)).isEqualTo(2);

        AskedCall late = recorder.ask(TAKE, C);
        recorder.tell(RECEIVED, B, recorder.replyTo(first).number());
        assertThat(recorder.waits(late))
                .as("an item that is not done may return")
                .isTrue();
        recorder.tell(RECEIVED, B, recorder.replyTo(second).number());
        assertThat(recorder.outcome(late)).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.now(POLL, C, 0).outcome()).isEqualTo(Outcome.CLOSED);
    }

    @Test
    void readerOfAClosedQueueGetsWhatAnotherOneLeftBehind() {
        queue(1);
        put(A, 1);
        take(B);
        recorder.ask(CLOSE, A);
        AskedCall next = recorder.ask(TAKE, C);
        assertThat(recorder.waits(next)).isTrue();
        recorder.end(process(2));
        assertThat(value(next)).isEqualTo(1);
    }

    @Test
    void closeOfAQueueFreesJoinersOfWritersThatItRefused() {
        queue(1);
        put(A, 1);
        put(A, 2);
        take(B);
        recorder.ask(TASK_DONE, B);
        put(A, 3);
        AskedCall join = recorder.ask(JOIN, C);
        take(B);
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.waits(join))
                .as("the item of the writer that waited")
                .isTrue();
        recorder.ask(CLOSE, A);
        take(B);
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
    }

    @Test
    void itemOfAWriterThatHasGoneOnIsAddedThoughTheQueueIsClosedAndTheWriterIsGone() {
        queue(1);
        AskedCall held = recorder.ask(SEND, A, 0, item(1));
        AskedCall waiting = recorder.ask(SEND, A, 0, item(2));
        assertThat(recorder.outcome(held)).isEqualTo(Outcome.DONE);
        AskedCall gone = recorder.ask(SEND, C, 0, item(3));
        recorder.giveUp(gone);
        recorder.end(C.process());
        recorder.ask(CLOSE, B);
        assertThat(recorder.outcome(waiting)).as("its writer may wait for it").isEqualTo(Outcome.DONE);
        assertThat(List.of(take(B), take(B), take(B))).containsExactly(1, 2, 3);
        assertThat(recorder.outcome(recorder.ask(SEND, A, 0, item(4)))).isEqualTo(Outcome.CLOSED);
    }

    @Test
    void joinWaitsForItemsOfWritersThatHaveGoneOn() {
        queue(1);
        recorder.ask(SEND, A, 0, item(1));
        recorder.ask(SEND, A, 0, item(2));
        AskedCall join = recorder.ask(JOIN, A);
        take(B);
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.waits(join)).isTrue();
        take(B);
        recorder.ask(TASK_DONE, B);
        assertThat(recorder.outcome(join)).isEqualTo(Outcome.DONE);
    }

    @Test
    void smallQueueLetsNoItemsBeOnTheirWayAndALargeOneLetsSome() {
        queue(31);
        assertThat(recorder.replyTo(put(A, 1)).number()).isLessThanOrEqualTo(1);
        queue(1_024);
        assertThat(recorder.replyTo(put(A, 1)).number()).isGreaterThan(1);
    }

    @Test
    void itemSentAheadIsKeptUntilItsReaderIsDoneOrReturnsIt() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        put(A, 3);
        assertThat(take(B)).isEqualTo(1);
        AskedCall ahead = recorder.ask(TAKE_AHEAD, B);
        AskedCall last = recorder.ask(TAKE_AHEAD, B);
        assertThat(recorder.outcome(ahead)).isEqualTo(Outcome.DONE_WITH_MORE);
        assertThat(recorder.outcome(last)).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(recorder.ask(TAKE_AHEAD, B)))
                .as("nobody waits for what is not asked for")
                .isEqualTo(Outcome.WOULD_WAIT);

        AskedCall other = recorder.ask(TAKE, C, AT_LEAST_ONCE.number());
        recorder.tell(RETURN, B, recorder.replyTo(last).number());
        assertThat(value(other)).isEqualTo(3);
        recorder.end(B.process());
        assertThat(take(C)).isEqualTo(1);
        assertThat(take(C)).isEqualTo(2);
        recorder.tell(RETURN, B, recorder.replyTo(ahead).number());
        assertThat(recorder.now(SIZE, C, 0).number())
                .as("items that returned before with their reader")
                .isZero();
    }

    @Test
    void largeItemIsNotSentAhead() {
        queue(Long.MAX_VALUE);
        put(A, 1, 5_000);
        assertThat(recorder.outcome(recorder.ask(TAKE_AHEAD, B))).isEqualTo(Outcome.WOULD_WAIT);
        assertThat(take(B)).isEqualTo(1);
    }

    @Test
    void oneReceiptEndsDeliveriesInARow() {
        queue(Long.MAX_VALUE);
        for (int i = 1; i <= 4; i++) {
            put(A, i);
        }
        long first = recorder.replyTo(recorder.ask(TAKE_AHEAD, B)).number();
        recorder.ask(TAKE_AHEAD, B);
        recorder.ask(TAKE_AHEAD, B);
        recorder.tell(RECEIVED, B, SyncRequest.encodeReceived(first, 2).argument());
        recorder.end(B.process());
        assertThat(take(C)).isEqualTo(3);
        assertThat(take(C)).isEqualTo(4);
    }

    @Test
    void queueIsNotSaidToBeEmptyWhileItemsMayReturn() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        AskedCall first = recorder.ask(TAKE_AHEAD, B);
        AskedCall second = recorder.ask(TAKE_AHEAD, B);
        AskedCall poll = recorder.ask(POLL, C, AT_LEAST_ONCE.number());
        AskedCall other = recorder.ask(POLL, A, AT_LEAST_ONCE.number());
        assertThat(recorder.waits(poll)).isTrue();
        recorder.tell(RETURN, B, recorder.replyTo(second).number());
        assertThat(value(poll)).isEqualTo(2);
        assertThat(recorder.waits(other)).isTrue();
        recorder.tell(RECEIVED, B, recorder.replyTo(first).number());
        assertThat(recorder.outcome(other)).isEqualTo(Outcome.WOULD_WAIT);
        assertThat(recorder.now(POLL, A, 0).outcome()).isEqualTo(Outcome.WOULD_WAIT);
    }

    @Test
    void pollThatWaitsForWhatWasSentAheadGetsWhatADeadReaderHad() {
        queue(Long.MAX_VALUE);
        put(A, 1);
        recorder.ask(TAKE_AHEAD, B);
        AskedCall poll = recorder.ask(POLL, C, AT_LEAST_ONCE.number());
        recorder.end(B.process());
        assertThat(value(poll)).isEqualTo(1);
    }
}
