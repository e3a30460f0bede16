// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueMachineTest {

    private final QueueMachine<Integer> machine = new QueueMachine<>(2);
    private final List<String> told = new ArrayList<>();

    private record Writer(String name, List<String> told) implements QueueMachine.Writer {
        @Override
        public void onHeld() {
            told.add(name + " held");
        }

        @Override
        public void onClosed() {
            told.add(name + " closed");
        }
    }

    private record Reader(String name, List<String> told, boolean acknowledges)
            implements QueueMachine.Reader<Integer> {
        @Override
        public void onItem(long delivery, Integer item) {
            told.add(name + " got " + item + " as " + delivery);
        }

        @Override
        public void onDrained() {
            told.add(name + " drained");
        }
    }

    private void put(int item) {
        machine.onPut(new Writer("w" + item, told), item);
    }

    private Reader take(String name) {
        Reader reader = new Reader(name, told, true);
        machine.onTake(reader);
        return reader;
    }

    @Test
    void putWaitsWhileTheQueueIsFull() {
        put(1);
        put(2);
        put(3);
        assertThat(told).containsExactly("w1 held", "w2 held");
        take("a");
        assertThat(told).containsExactly("w1 held", "w2 held", "a got 1 as 1", "w3 held");
        assertThat(machine.size()).isEqualTo(2);
    }

    @Test
    void readersAreServedInTheOrderInWhichTheyCame() {
        take("a");
        take("b");
        put(1);
        put(2);
        assertThat(told).containsExactly("w1 held", "a got 1 as 1", "w2 held", "b got 2 as 2");
    }

    @Test
    void whatAReaderHadNotAcknowledgedGoesBackToTheHeadInItsOrder() {
        put(1);
        put(2);
        take("a");
        take("a");
        put(3);
        machine.onGone(reader -> reader instanceof Reader gone && gone.name().equals("a"));
        told.clear();
        take("b");
        take("b");
        take("b");
        assertThat(told).containsExactly("b got 1 as 1", "b got 2 as 2", "b got 3 as 3");
    }

    @Test
    void whatWasAcknowledgedDoesNotComeBack() {
        put(1);
        take("a");
        machine.onAcknowledged(1);
        machine.onGone(reader -> true);
        assertThat(machine.size()).isZero();
        assertThat(machine.unacknowledged()).isZero();
    }

    @Test
    void readerThatDoesNotAcknowledgeHasWhatItGets() {
        put(1);
        machine.onTake(new Reader("root", told, false));
        assertThat(machine.unacknowledged()).isZero();
    }

    @Test
    void closedQueueGivesWhatIsLeftAndRefusesTheRest() {
        put(1);
        put(2);
        put(3);
        told.clear();
        machine.onClose();
        put(4);
        take("a");
        take("b");
        assertThat(told).containsExactly("w3 closed", "w4 closed", "a got 1 as 1", "b got 2 as 2");
        take("c");
        machine.onAcknowledged(1);
        assertThat(told).hasSize(4);
        machine.onAcknowledged(2);
        assertThat(told).last().isEqualTo("c drained");
    }

    @Test
    void readerOfAClosedQueueGetsWhatAnotherOneLeftBehind() {
        put(1);
        take("a");
        machine.onClose();
        take("b");
        machine.onGone(reader -> reader instanceof Reader gone && gone.name().equals("a"));
        assertThat(told).last().isEqualTo("b got 1 as 1");
    }

    @Test
    void whoGivesUpIsNotServed() {
        Reader gone = take("a");
        machine.onGiveUp(gone);
        put(1);
        put(2);
        Writer late = new Writer("late", told);
        machine.onPut(late, 3);
        machine.onGiveUp(late);
        take("b");
        take("c");
        assertThat(told).containsExactly("w1 held", "w2 held", "b got 1 as 1", "c got 2 as 2");
        assertThat(machine.size()).isZero();
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
    private static final class Schedule {
        private static final int READERS = 4;
        private static final int STEPS = 300;

        private final Random random;
        private final QueueMachine<Integer> machine;
        private final Map<Long, Integer> open = new HashMap<>();
        private final Map<Long, Integer> ownerOf = new HashMap<>();
        private final List<Integer> acknowledged = new ArrayList<>();
        private final List<Integer> held = new ArrayList<>();
        private final int[] waiting = new int[READERS];
        private boolean died;
        private int next;
        private int drained;

        Schedule(Random random) {
            this.random = random;
            this.machine = new QueueMachine<>(1 + random.nextInt(5));
        }

        void run() {
            boolean deaths = random.nextBoolean();
            for (int step = 0; step < STEPS; step++) {
                int reader = random.nextInt(READERS);
                switch (random.nextInt(deaths ? 9 : 8)) {
                    case 0, 1, 2 -> put();
                    case 3, 4, 5 -> take(reader);
                    case 6, 7 -> acknowledge();
                    default -> die(reader);
                }
            }
            machine.onClose();
            while (machine.size() > 0 || !open.isEmpty()) {
                take(0);
                acknowledge();
            }
            take(1);
            assertThat(drained).isPositive();
            assertThat(acknowledged).containsExactlyInAnyOrderElementsOf(held);
            assertThat(machine.unacknowledged()).isZero();
        }

        private void put() {
            int item = next++;
            machine.onPut(
                    new QueueMachine.Writer() {
                        @Override
                        public void onHeld() {
                            held.add(item);
                        }

                        @Override
                        public void onClosed() {}
                    },
                    item);
        }

        private final class Taking implements QueueMachine.Reader<Integer> {
            private final int reader;

            Taking(int reader) {
                this.reader = reader;
            }

            @Override
            public void onItem(long delivery, Integer item) {
                waiting[reader]--;
                assertThat(died || item == delivery - 1).as("in order").isTrue();
                assertThat(open.put(delivery, item)).isNull();
                ownerOf.put(delivery, reader);
            }

            @Override
            public void onDrained() {
                waiting[reader]--;
                drained++;
            }

            @Override
            public boolean acknowledges() {
                return true;
            }
        }

        private void take(int reader) {
            waiting[reader]++;
            machine.onTake(new Taking(reader));
        }

        private void acknowledge() {
            if (!open.isEmpty()) {
                long delivery = new ArrayList<>(open.keySet()).get(random.nextInt(open.size()));
                acknowledged.add(open.remove(delivery));
                machine.onAcknowledged(delivery);
            }
        }

        /** What it has goes back; it may be given to somebody else within the call. */
        private void die(int reader) {
            died = true;
            open.keySet().removeIf(delivery -> ownerOf.getOrDefault(delivery, -1) == reader);
            machine.onGone(gone -> ((Taking) gone).reader == reader);
        }
    }
}
