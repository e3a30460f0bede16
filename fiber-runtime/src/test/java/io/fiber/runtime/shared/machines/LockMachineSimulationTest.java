// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes lock, wait for a condition, give up and die in any order; what nobody may see is looked for. */
class LockMachineSimulationTest {

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneHoldsAtATimeEpochsGrowAndEverybodyGetsIt(long seed) {
        new Lockers(seed).run();
    }

    /** Processes of one thread each. A process that has died is replaced by another with a new number. */
    private static final class Lockers {
        private static final int PROCESSES = 6;
        private static final int STEPS = 2_000;
        private static final int STEPS_FOR_A_DEATH = 50;

        private final Random random;
        private final Recorder recorder = new Recorder();
        private final List<Party> live = new ArrayList<>();
        /** Those that wait for a reply. */
        private final Map<Party, AskedCall> waiting = new HashMap<>();

        private final Map<Party, Integer> heldBeforeAwait = new HashMap<>();
        private final long condition;
        private @Nullable Party holder;
        private int nextProcess = 1;
        private int holds;
        private long epoch;
        private boolean died;

        Lockers(long seed) {
            random = new Random(seed);
            recorder.of(LockMachine.reentrant());
            condition =
                    recorder.now(Operation.NEW_CONDITION, Recorder.OUTSIDER, 0).number();
            IntStream.range(0, PROCESSES).forEach(i -> live.add(newParty()));
        }

        private Party newParty() {
            return Recorder.party(nextProcess++);
        }

        /** Lets them do as they like, and then end. */
        void run() {
            for (int step = 0; step < STEPS; step++) {
                recorder.take();
                step(live.get(random.nextInt(live.size())));
                settle();
            }
            drain();
        }

        private void step(Party party) {
            if (random.nextInt(STEPS_FOR_A_DEATH) == 0) {
                die(party);
            } else if (waiting.containsKey(party)) {
                if (random.nextInt(4) == 0) {
                    withdraw(party);
                }
            } else if (party.equals(holder)) {
                onHolder(party);
            } else {
                ask(party, Operation.LOCK, 0);
            }
        }

        private void die(Party party) {
            live.remove(party);
            waiting.remove(party);
            heldBeforeAwait.remove(party);
            if (party.equals(holder)) {
                holder = null;
                died = true;
            }
            live.add(newParty());
            recorder.end(party.process());
        }

        /** Who waited for a condition asks for the lock again. */
        private void withdraw(Party party) {
            AskedCall call = waiting.remove(party);
            if (call != null) {
                recorder.giveUp(call);
            }
            if (heldBeforeAwait.containsKey(party)) {
                ask(party, Operation.RELOCK, 0);
            }
        }

        private void onHolder(Party party) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    heldBeforeAwait.put(party, holds);
                    holder = null;
                    ask(party, Operation.AWAIT, condition);
                }
                case 1 -> ask(party, Operation.LOCK, 0);
                case 2 -> recorder.ask(Operation.SIGNAL, party, condition);
                case 3 -> recorder.ask(Operation.SIGNAL_ALL, party, condition);
                default -> {
                    if (--holds == 0) {
                        holder = null;
                    }
                    recorder.ask(Operation.UNLOCK, party);
                }
            }
        }

        private void ask(Party party, Operation operation, long number) {
            waiting.put(party, recorder.ask(operation, party, number));
        }

        /** Takes the replies in their order. */
        private void settle() {
            for (Recorder.Told told : recorder.take()) {
                Party party = told.call().party();
                if (waiting.remove(party, told.call())) {
                    answered(party, told.reply());
                }
            }
        }

        private void answered(Party party, SyncReply reply) {
            Integer before = heldBeforeAwait.remove(party);
            if (party.equals(holder)) {
                assertThat(reply.number()).isEqualTo(epoch);
                holds++;
                return;
            }
            assertThat(holder).as("holder when %s gets the lock", party).isNull();
            assertThat(reply.number()).isGreaterThan(epoch);
            epoch = reply.number();
            holder = party;
            holds = before == null ? 1 : before;
            assertThat(recorder.now(Operation.HOLDS, party, 0).number()).isEqualTo(holds);
            assertThat(recorder.now(Operation.WAS_ABANDONED, party, 0).number()).isEqualTo(died ? 1 : 0);
            died = false;
        }

        /** Holders give it back, waiters for the condition give up: in the end nobody waits. */
        private void drain() {
            List.copyOf(heldBeforeAwait.keySet()).forEach(this::withdraw);
            for (int i = 0; i < 10 * PROCESSES; i++) {
                settle();
                Party now = holder;
                if (now != null) {
                    int times = holds;
                    holder = null;
                    holds = 0;
                    IntStream.range(0, times).forEach(n -> recorder.ask(Operation.UNLOCK, now));
                }
                settle();
            }
            assertThat(waiting).isEmpty();
            assertThat(recorder.now(Operation.IS_LOCKED, Recorder.OUTSIDER, 0).number())
                    .isZero();
        }
    }
}
