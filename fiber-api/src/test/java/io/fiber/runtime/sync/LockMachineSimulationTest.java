// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.sync.LockMachine.Reentry;
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

    private static final int STEPS = 2_000;
    private static final int PROCESSES = 6;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneHoldsAtATimeEpochsGrowAndEverybodyGetsIt(long seed) {
        World world = new World(new Random(seed));
        for (int step = 0; step < STEPS; step++) {
            world.step();
        }
        world.drain();
    }

    /** What each live process does; one thread each, and a process that died is replaced by one with a new number. */
    private static final class World {
        private final Random random;
        private final Recorder recorder = new Recorder();
        private final LockMachine lock = recorder.of(new LockMachine(Reentry.COUNTED, recorder));
        private final long condition =
                recorder.now(Operation.NEW_CONDITION, Recorder.OUTSIDER, 0).number();
        private final List<Party> live = new ArrayList<>();
        private final Map<Party, Ticket> waiting = new HashMap<>();
        private final Map<Party, Integer> heldBeforeAwait = new HashMap<>();
        private int nextProcess = 1;
        private @Nullable Party holder;
        private int holds;
        private long epoch;
        private boolean died;

        World(Random random) {
            this.random = random;
            IntStream.range(0, PROCESSES).forEach(i -> live.add(Recorder.party(nextProcess++)));
        }

        void step() {
            recorder.take();
            Party party = live.get(random.nextInt(live.size()));
            if (random.nextInt(50) == 0) {
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
            settle();
        }

        /** Who waited for a condition asks for the lock again. */
        private void withdraw(Party party) {
            Ticket ticket = waiting.remove(party);
            if (ticket != null) {
                lock.onWithdraw(ticket);
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
            // Known before the reply, which may come within the request.
            waiting.put(party, recorder.ask(operation, party, number));
        }

        private void die(Party party) {
            live.remove(party);
            waiting.remove(party);
            heldBeforeAwait.remove(party);
            if (party.equals(holder)) {
                holder = null;
                died = true;
            }
            live.add(Recorder.party(nextProcess++));
            lock.onGone(party.process());
        }

        /** Takes the replies in their order and looks whether each was allowed. */
        private void settle() {
            for (Recorder.Told told : recorder.take()) {
                Party party = told.ticket().party();
                if (!told.ticket().equals(waiting.get(party))) {
                    continue;
                }
                waiting.remove(party);
                Integer before = heldBeforeAwait.remove(party);
                onGranted(party, told.reply(), before);
            }
        }

        private void onGranted(Party party, SyncReply reply, @Nullable Integer before) {
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
        void drain() {
            for (int i = 0; i < 10 * PROCESSES; i++) {
                if (i == 0) {
                    List.copyOf(heldBeforeAwait.keySet()).forEach(this::withdraw);
                }
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
