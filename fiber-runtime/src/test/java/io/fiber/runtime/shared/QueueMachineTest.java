// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static io.fiber.runtime.shared.Operation.CLOSE;
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
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueMachineTest {

    private static final LockHolder A = party(1);
    private static final LockHolder B = party(2);
    private static final LockHolder C = party(3);

    private final Recorder recorder = new Recorder();

    private QueueMachine queue(long capacity) {
        return recorder.of(new QueueMachine(capacity, recorder));
    }

    private static SealedPayload item(int value) {
        return SealedPayload.open(Payload.of(new byte[] {(byte) value}));
    }

    private SyncTicket put(LockHolder writer, int value) {
        return recorder.ask(PUT, writer, 0, item(value));
    }

    private int value(SyncTicket reader) {
        assertThat(recorder.outcome(reader)).isEqualTo(Outcome.DONE);
        return recorder.replyTo(reader).item().bytes().toArray()[0];
    }

    private int take(LockHolder reader) {
        return value(recorder.ask(TAKE, reader, QueueMachine.KEPT));
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

    private SyncTicket put(LockHolder writer, int value, int bytes) {
        byte[] item = new byte[bytes];
        item[0] = (byte) value;
        return recorder.ask(PUT, writer, 0, SealedPayload.open(Payload.of(item)));
    }

    @Test
    void aQueueIsFullWithSoManyBytes() {
        recorder.of(new QueueMachine(100, 1_000, recorder));
        put(A, 1, 600);
        SyncTicket waiting = put(A, 2, 600);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(recorder.outcome(recorder.ask(OFFER, B, 0, item(3)))).isEqualTo(Outcome.WOULD_WAIT);
        SyncTicket behind = put(B, 4, 400);
        assertThat(recorder.waits(behind)).as("first come, first served").isTrue();
        assertThat(take(C)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(behind)).isEqualTo(Outcome.DONE);
        assertThat(recorder.now(SIZE, B, 0).number()).isEqualTo(2);
    }

    @Test
    void oneItemAlwaysFits() {
        recorder.of(new QueueMachine(100, 1_000, recorder));
        assertThat(recorder.outcome(put(A, 1, 5_000))).isEqualTo(Outcome.DONE);
        SyncTicket waiting = put(A, 2, 5_000);
        assertThat(recorder.waits(waiting)).isTrue();
        assertThat(take(B)).isEqualTo(1);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.DONE);
        assertThat(take(B)).isEqualTo(2);
        assertThat(recorder.outcome(put(A, 3, 1_000))).isEqualTo(Outcome.DONE);
    }

    @Test
    void writerWithALargeItemThatIsWithdrawnLetsThoseBehindItIn() {
        QueueMachine queue = recorder.of(new QueueMachine(100, 1_000, recorder));
        put(A, 1, 600);
        SyncTicket large = put(B, 2, 600);
        SyncTicket small = put(C, 3, 400);
        queue.onWithdraw(large);
        assertThat(recorder.outcome(small)).isEqualTo(Outcome.DONE);
    }

    @Test
    void bytesOfWhatReturnsCountAgain() {
        QueueMachine queue = recorder.of(new QueueMachine(100, 1_000, recorder));
        put(A, 1, 600);
        take(B);
        put(A, 2, 600);
        queue.onGone(B.process());
        assertThat(take(C)).isEqualTo(1);
        assertThat(recorder.waits(put(A, 3, 600))).isTrue();
        assertThat(take(C)).isEqualTo(2);
        assertThat(recorder.now(SIZE, C, 0).number()).isEqualTo(1);
    }

    @Test
    void withdrawnReadersAndWritersLeaveNothingBehind() {
        QueueMachine queue = queue(1);
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
        SyncTicket join = recorder.ask(JOIN, A);
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
        QueueMachine queue = queue(Long.MAX_VALUE);
        put(A, 1);
        put(A, 2);
        SyncTicket first = recorder.ask(TAKE, B, QueueMachine.KEPT);
        SyncTicket second = recorder.ask(POLL, B, QueueMachine.KEPT);
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

    @Test
    void closedQueueGivesWhatIsLeftAndRefusesTheRest() {
        queue(2);
        put(A, 1);
        put(A, 2);
        SyncTicket waiting = put(A, 3);
        assertThat(recorder.outcome(recorder.ask(CLOSE, B))).isEqualTo(Outcome.DONE);
        assertThat(recorder.outcome(waiting)).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.outcome(put(A, 4))).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.outcome(recorder.ask(OFFER, A, 0, item(5)))).isEqualTo(Outcome.CLOSED);
        SyncTicket first = recorder.ask(TAKE, B, QueueMachine.KEPT);
        SyncTicket second = recorder.ask(TAKE, B, QueueMachine.KEPT);
        assertThat(value(first)).isEqualTo(1);
        assertThat(value(second)).isEqualTo(2);

        SyncTicket late = recorder.ask(TAKE, C);
        recorder.ask(RECEIVED, B, recorder.replyTo(first).number());
        assertThat(recorder.waits(late))
                .as("an item that is not done may return")
                .isTrue();
        recorder.ask(RECEIVED, B, recorder.replyTo(second).number());
        assertThat(recorder.outcome(late)).isEqualTo(Outcome.CLOSED);
        assertThat(recorder.now(POLL, C, 0).outcome()).isEqualTo(Outcome.CLOSED);
    }

    @Test
    void readerOfAClosedQueueGetsWhatAnotherOneLeftBehind() {
        QueueMachine queue = queue(1);
        put(A, 1);
        take(B);
        recorder.ask(CLOSE, A);
        SyncTicket next = recorder.ask(TAKE, C);
        assertThat(recorder.waits(next)).isTrue();
        queue.onGone(process(2));
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
        SyncTicket join = recorder.ask(JOIN, C);
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

    /** Writers, readers and deaths in any order: nothing is lost, nothing is given twice without a death, order holds. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void anyOrderOfEventsLosesNothing(long seed) {
        for (int round = 0; round < 100; round++) {
            new Schedule(new Random(seed * 1_000 + round)).run();
        }
    }

    /** One random schedule against a model. */
    private static final class Schedule implements Machine.Replies {
        private static final int READERS = 4;
        private static final int STEPS = 300;

        private final Random random;
        private final QueueMachine machine;
        private final Map<SyncTicket, Integer> puts = new HashMap<>();
        private final Map<Long, Integer> open = new HashMap<>();
        private final Map<Long, Integer> ownerOf = new HashMap<>();
        private final List<Integer> done = new ArrayList<>();
        private final List<Integer> held = new ArrayList<>();
        private boolean died;
        private int nextItem;
        private long nextTicket;
        private int drained;

        Schedule(Random random) {
            this.random = random;
            this.machine = new QueueMachine(1 + random.nextInt(5), this);
        }

        void run() {
            boolean deaths = random.nextBoolean();
            for (int step = 0; step < STEPS; step++) {
                int reader = 1 + random.nextInt(READERS);
                switch (random.nextInt(deaths ? 9 : 8)) {
                    case 0, 1, 2 -> put();
                    case 3, 4, 5 -> ask(TAKE, reader, QueueMachine.KEPT, SealedPayload.none());
                    case 6, 7 -> acknowledge();
                    default -> die(reader);
                }
            }
            ask(CLOSE, READERS + 1, 0, SealedPayload.none());
            while (drained == 0) {
                ask(TAKE, 1, QueueMachine.KEPT, SealedPayload.none());
                acknowledge();
            }
            assertThat(open).isEmpty();
            assertThat(done).containsExactlyInAnyOrderElementsOf(held);
        }

        private SyncTicket ask(Operation operation, int process, long number, SealedPayload item) {
            SyncTicket ticket = new SyncTicket(party(process), ++nextTicket);
            machine.on(new SyncRequest(operation, ticket, number, item));
            return ticket;
        }

        private void put() {
            byte[] item = ByteBuffer.allocate(4).putInt(nextItem).array();
            SyncTicket ticket = new SyncTicket(party(READERS + 1), ++nextTicket);
            puts.put(ticket, nextItem++);
            machine.on(new SyncRequest(PUT, ticket, 0, SealedPayload.open(Payload.of(item))));
        }

        @Override
        public void reply(SyncTicket ticket, SyncReply reply) {
            Integer item = puts.remove(ticket);
            if (item != null) {
                if (reply.outcome() == Outcome.DONE) {
                    held.add(item);
                }
            } else if (reply.outcome() == Outcome.CLOSED) {
                drained++;
            } else if (reply.item().length() > 0) {
                int value = ByteBuffer.wrap(reply.item().bytes().toArray()).getInt();
                assertThat(died || value == reply.number() - 1).as("in order").isTrue();
                assertThat(open.put(reply.number(), value)).isNull();
                ownerOf.put(reply.number(), owner(ticket));
            }
        }

        private static int owner(SyncTicket ticket) {
            for (int reader = 1; reader <= READERS; reader++) {
                if (ticket.party().process().equals(process(reader))) {
                    return reader;
                }
            }
            throw new AssertionError(ticket + " is of no reader");
        }

        private void acknowledge() {
            if (!open.isEmpty()) {
                long delivery = new ArrayList<>(open.keySet()).get(random.nextInt(open.size()));
                done.add(open.remove(delivery));
                ask(RECEIVED, requireNonNull(ownerOf.get(delivery), "its reader"), delivery, SealedPayload.none());
            }
        }

        /** What it has goes back; it may be given to another reader within the call. */
        private void die(int reader) {
            died = true;
            open.keySet().removeIf(delivery -> ownerOf.getOrDefault(delivery, -1) == reader);
            machine.onGone(process(reader));
        }
    }
}
