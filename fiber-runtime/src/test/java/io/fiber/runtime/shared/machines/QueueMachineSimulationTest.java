// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static io.fiber.runtime.shared.machines.QueueMachine.Delivery.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers and writers come, give up and die in any order; every item that was accepted is done exactly once. */
class QueueMachineSimulationTest {

    private static final int CAPACITY = 5;

    static LongStream seeds() {
        return Crowd.seeds();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAcceptedItemIsDoneOnce(long seed) {
        new ReadersAndWriters(seed).run();
    }

    private static final class ReadersAndWriters extends Crowd {
        private final Map<AskedCall, Integer> offered = new HashMap<>();
        private final Map<Party, List<Integer>> taken = new HashMap<>();
        private final Set<Integer> accepted = new HashSet<>();
        private final Set<Integer> done = new HashSet<>();
        private int nextItem = 1;

        ReadersAndWriters(long seed) {
            super(seed, 40, new QueueMachine(CAPACITY, Long.MAX_VALUE));
        }

        /** What returns from the dead may exceed the capacity. */
        @Override
        void check() {
            assertThat(recorder.now(Operation.SIZE, Recorder.OUTSIDER, 0).number())
                    .isLessThanOrEqualTo(CAPACITY + accepted.size() - done.size());
        }

        @Override
        void act(Party party) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int item = nextItem++;
                    SealedPayload payload = SealedPayload.open(
                            Payload.of(ByteBuffer.allocate(4).putInt(item).array()));
                    AskedCall call = recorder.ask(Operation.PUT, party, 0, payload);
                    offered.put(call, item);
                    waiting.put(party, call);
                }
                case 1 -> waiting.put(party, recorder.ask(Operation.TAKE, party, AT_LEAST_ONCE.number()));
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

        @Override
        void dies(Party party) {
            taken.remove(party);
        }

        @Override
        void answered(Party party, Recorder.Told told) {
            assertThat(told.reply().outcome()).isEqualTo(Outcome.DONE);
            Integer item = offered.get(told.call());
            if (item != null) {
                accepted.add(item);
            } else {
                taken.computeIfAbsent(party, p -> new ArrayList<>())
                        .add(ByteBuffer.wrap(told.reply().item().bytes().toArray())
                                .getInt());
            }
        }

        /** All give up waiting, one reader takes and finishes the rest. */
        @Override
        void drain() {
            List.copyOf(waiting.keySet()).forEach(this::withdraw);
            settle();
            List.copyOf(live).forEach(party -> {
                while (!taken.getOrDefault(party, List.of()).isEmpty()) {
                    finishOne(party);
                }
            });
            Party last = newParty();
            while (recorder.now(Operation.SIZE, last, 0).number() > 0) {
                waiting.put(last, recorder.ask(Operation.TAKE, last, AT_LEAST_ONCE.number()));
                settle();
                finishOne(last);
            }
            assertThat(recorder.now(Operation.JOIN, last, 0).outcome()).isEqualTo(Outcome.DONE);
            assertThat(done).isEqualTo(accepted);
        }
    }
}
