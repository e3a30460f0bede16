// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes lock, wait for a condition, give up and die in any order; what nobody may see is looked for. */
class LockMachineSimulationTest {

    static LongStream seeds() {
        return Crowd.seeds();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneHoldsAtATimeEpochsGrowAndEverybodyGetsIt(long seed) {
        new Lockers(seed).run();
    }

    private static final class Lockers extends Crowd {
        private final long condition =
                recorder.now(Operation.NEW_CONDITION, Recorder.OUTSIDER, 0).number();
        private final Map<Party, Integer> heldBeforeAwait = new HashMap<>();
        private @Nullable Party holder;
        private int holds;
        private long epoch;
        private boolean died;

        Lockers(long seed) {
            super(seed, 50, LockMachine.reentrant());
        }

        @Override
        void act(Party party) {
            if (party.equals(holder)) {
                onHolder(party);
            } else {
                ask(party, Operation.LOCK, 0);
            }
        }

        /** Who waited for a condition asks for the lock again. */
        @Override
        void withdraw(Party party) {
            super.withdraw(party);
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

        @Override
        void dies(Party party) {
            heldBeforeAwait.remove(party);
            if (party.equals(holder)) {
                holder = null;
                died = true;
            }
        }

        @Override
        void answered(Party party, Recorder.Told told) {
            SyncReply reply = told.reply();
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
        @Override
        void drain() {
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
