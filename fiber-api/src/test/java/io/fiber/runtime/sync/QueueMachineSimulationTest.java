// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.sync.QueueMachine.Account;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers and writers come, give up and die in any order; every item that was accepted is done exactly once. */
class QueueMachineSimulationTest {

    private static final int STEPS = 2_000;
    private static final int PROCESSES = 6;
    private static final int CAPACITY = 5;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAcceptedItemIsDoneOnce(long seed) {
        World world = new World(new Random(seed));
        for (int step = 0; step < STEPS; step++) {
            world.step();
        }
        world.drain();
    }

    private static final class World {
        private final Random random;
        private final Recorder recorder = new Recorder();
        private final QueueMachine queue = recorder.of(new QueueMachine(CAPACITY, Account.UNTIL_DONE, recorder));
        private final List<Party> live = new ArrayList<>();
        private final Map<Party, Ticket> waiting = new HashMap<>();
        private final Map<Ticket, Integer> offered = new HashMap<>();
        private final Map<Party, List<Integer>> taken = new HashMap<>();
        private final Set<Integer> accepted = new HashSet<>();
        private final Set<Integer> done = new HashSet<>();
        private int nextProcess = 1;
        private int nextItem = 1;

        World(Random random) {
            this.random = random;
            IntStream.range(0, PROCESSES).forEach(i -> live.add(Recorder.party(nextProcess++)));
        }

        void step() {
            Party party = live.get(random.nextInt(live.size()));
            if (random.nextInt(40) == 0) {
                die(party);
            } else if (waiting.containsKey(party)) {
                if (random.nextInt(4) == 0) {
                    queue.onWithdraw(waiting.remove(party));
                }
            } else {
                act(party);
            }
            settle();
            assertThat(recorder.now(Operation.SIZE, Recorder.OUTSIDER, 0).number())
                    .isLessThanOrEqualTo(CAPACITY + returnedAtMost());
        }

        /** What returns from the dead may exceed the capacity. */
        private int returnedAtMost() {
            return accepted.size() - done.size();
        }

        private void act(Party party) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int item = nextItem++;
                    Ticket ticket = recorder.ask(
                            Operation.PUT,
                            party,
                            0,
                            Parcel.open(Payload.of(
                                    ByteBuffer.allocate(4).putInt(item).array())));
                    offered.put(ticket, item);
                    waiting.put(party, ticket);
                }
                case 1 -> waiting.put(party, recorder.ask(Operation.TAKE, party));
                default -> finishOne(party);
            }
        }

        private void finishOne(Party party) {
            List<Integer> mine = taken.getOrDefault(party, new ArrayList<>());
            Outcome outcome = recorder.now(Operation.TASK_DONE, party, 0).outcome();
            if (mine.isEmpty()) {
                assertThat(outcome).isEqualTo(Outcome.NOTHING_TAKEN);
            } else {
                assertThat(outcome).isEqualTo(Outcome.DONE);
                mine.sort(null);
                assertThat(done.add(mine.remove(0))).isTrue();
            }
        }

        private void die(Party party) {
            live.remove(party);
            waiting.remove(party);
            taken.remove(party);
            live.add(Recorder.party(nextProcess++));
            queue.onGone(party.process());
        }

        private void settle() {
            for (Recorder.Told told : recorder.take()) {
                Party party = told.ticket().party();
                Integer item = offered.get(told.ticket());
                if (item != null && told.reply().outcome() == Outcome.DONE) {
                    accepted.add(item);
                }
                if (!told.ticket().equals(waiting.get(party))) {
                    continue;
                }
                waiting.remove(party);
                if (item == null && told.reply().outcome() == Outcome.DONE) {
                    taken.computeIfAbsent(party, p -> new ArrayList<>())
                            .add(ByteBuffer.wrap(told.reply().item().payload().toArray())
                                    .getInt());
                }
            }
        }

        /** All give up waiting, one reader takes and finishes the rest. */
        void drain() {
            List.copyOf(waiting.values()).forEach(queue::onWithdraw);
            waiting.clear();
            settle();
            List.copyOf(live).forEach(party -> {
                while (!taken.getOrDefault(party, List.of()).isEmpty()) {
                    finishOne(party);
                }
            });
            Party last = Recorder.party(nextProcess);
            while (recorder.now(Operation.SIZE, last, 0).number() > 0) {
                waiting.put(last, recorder.ask(Operation.TAKE, last));
                settle();
                finishOne(last);
            }
            assertThat(recorder.now(Operation.JOIN, last, 0).outcome()).isEqualTo(Outcome.DONE);
            assertThat(done).isEqualTo(accepted);
        }
    }
}
