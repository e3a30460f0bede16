// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers with several task threads, as their pool's machine sees them. */
class PoolThreadsTest {

    private static final long MS = 1_000_000;
    private static final long LATER_NS = 5_000 * MS;

    private final PoolWorld world = new PoolWorld(2, 3).started();
    private final PoolMachine machine = world.machine;

    private List<Chunk> open(int worker) {
        return world.at(worker).stream()
                .filter(chunk -> machine.ledger.find(worker, chunk.id, chunk.attempt) != null)
                .toList();
    }

    private void begun(int worker, Chunk chunk, int item) {
        machine.onBegun(worker, chunk.id, chunk.attempt, item);
    }

    /** The first worker is lost, and another one comes. */
    private void lose(int worker, int replacement) {
        machine.onWorkerEnded(worker, PoolWorld.loss(), LATER_NS);
        machine.onCycleEnd(LATER_NS);
        machine.onWorkerReady(replacement, LATER_NS);
        machine.onCycleEnd(LATER_NS);
    }

    @Test
    void eachThreadGetsAChunkBeforeOneGetsTwo() {
        machine.onCall(FixedCalls.ofRange(6, 1, 3));

        machine.onCycleEnd(1);

        for (int worker = 1; worker <= 2; worker++) {
            assertThat(world.at(worker))
                    .extracting(chunk -> chunk.slot().number)
                    .containsExactly(0, 1, 2);
        }
    }

    @Test
    void threadThatHasAnsweredGetsTheNextChunk() {
        machine.onCall(FixedCalls.ofRange(7, 1, 3));
        machine.onCycleEnd(1);

        world.answer(2, world.at(2).get(1), 2);
        machine.onCycleEnd(2);

        assertThat(world.at(1)).hasSize(3);
        assertThat(world.at(2))
                .hasSize(4)
                .last()
                .extracting(chunk -> chunk.slot().number)
                .isEqualTo(1);
    }

    @Test
    void whatALostWorkerRanRunsAgainOnAllThreads() {
        machine.onCall(FixedCalls.ofRange(3, 1, 3));
        machine.onCycleEnd(1);

        lose(1, 3);

        assertThat(world.at(2)).hasSize(3);
        assertThat(open(2))
                .allMatch(chunk -> chunk.announced)
                .noneMatch(chunk -> chunk.alone)
                .allMatch(c -> c.lostAttempts == 1);
        assertThat(open(2)).extracting(chunk -> chunk.slot().number).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void beforeItsLastAttemptAnItemRunsAlone() {
        Call call = FixedCalls.ofRange(3, 1, 2);
        machine.onCall(call);
        machine.onCycleEnd(1);

        lose(1, 3);

        assertThat(open(2)).hasSize(1).allMatch(chunk -> chunk.alone);
        assertThat(open(3)).isEmpty();
        Chunk alone = open(2).get(0);
        machine.onCall(FixedCalls.ofRange(5, 1, 2));
        machine.onCycleEnd(LATER_NS + 1);
        assertThat(open(2)).containsExactly(alone);
        assertThat(open(3)).hasSize(3);

        world.answer(2, alone, LATER_NS + 2);
        machine.onCycleEnd(LATER_NS + 2);
        assertThat(open(2)).hasSize(1).allMatch(chunk -> chunk.alone);
    }

    @Test
    void workerIsKeptFreeForWhatMustRunAlone() {
        machine.onCall(FixedCalls.ofRange(6, 1, 2));
        machine.onCycleEnd(1);
        machine.onCall(FixedCalls.ofRange(100, 1, 2));
        machine.onWorkerEnded(1, PoolWorld.loss(), LATER_NS);
        machine.onCycleEnd(LATER_NS);
        world.answer(2, open(2).get(0), LATER_NS);
        machine.onCycleEnd(LATER_NS);

        assertThat(machine.dispatcher.reserved).isEqualTo(1);
        assertThat(open(2)).hasSize(2);
        world.answer(2, open(2).get(0), LATER_NS);
        world.answer(2, open(2).get(0), LATER_NS);
        machine.onCycleEnd(LATER_NS);

        assertThat(open(2)).hasSize(1).allMatch(chunk -> chunk.alone);
        assertThat(machine.dispatcher.reserved).isZero();
    }

    @Test
    void eachItemThatHadBegunCountsAnAttemptAndNoOther() {
        Call call = FixedCalls.ofRange(6, 2, 1);
        machine.onCall(call);
        machine.onCycleEnd(1);
        List<Chunk> chunks = List.copyOf(world.at(1));
        begun(1, chunks.get(0), 0);

        machine.onWorkerEnded(1, PoolWorld.loss(), LATER_NS);

        assertThat(FixedCalls.lines(call))
                .containsExactly("lost " + chunks.get(0).firstIndex() + " after 1: signal 9");
    }

    /** Something that ends each worker that it is sent to would be sent behind others for ever. */
    @Test
    void whatLostWorkersHeldBehindOthersTwiceRunsAlone() {
        Call call = FixedCalls.ofRange(12, 1, 1);
        machine.onCall(call);

        loseBehindAnother(new Chunk(call, new Items(Form.INT_RANGE, 7, 3, 0, SealedPayload.none(), 0)));
        assertThat(machine.ledger.again).isEmpty();
        Chunk once = machine.ledger.unsent.remove();
        assertThat(once.firstIndex()).isEqualTo(7);

        loseBehindAnother(once.unsentPart(0, 2));
        assertThat(machine.ledger.unsent).isEmpty();
        assertThat(machine.ledger.again).hasSize(1).allMatch(chunk -> chunk.alone && chunk.firstIndex() == 7);
    }

    private void loseBehindAnother(Chunk behind) {
        WorkerSlot worker = new WorkerSlot(9, 3);
        Chunk first = new Chunk(behind.call, new Items(Form.INT_RANGE, 0, 1, 0, SealedPayload.none(), 0));
        for (Chunk chunk : List.of(first, behind)) {
            chunk.assign(machine.ledger.nextId(), worker.slots.get(0), 0);
            machine.ledger.assign(chunk, LATER_NS);
        }
        first.begun(0);
        machine.ledger.lose(worker, PoolWorld.loss());
    }

    @Test
    void neighboursOfAStuckItemRunAgainAsIfNothingHadHappened() {
        Call call = FixedCalls.ofRange(3, 1, 2);
        machine.onCall(call);
        machine.onCycleEnd(1);
        assertThat(world.at(1)).hasSize(3);
        Chunk stuck = world.at(1).get(1);

        machine.onStuck(1, stuck.id, stuck.attempt);
        machine.onCycleEnd(2);

        assertThat(world.lines).contains("kill 1");
        assertThat(FixedCalls.lines(call)).containsExactly("overdue " + stuck.firstIndex() + " at worker '1'");
        assertThat(open(2))
                .hasSize(2)
                .allMatch(chunk -> chunk.lostAttempts == 0)
                .noneMatch(chunk -> chunk.alone);
        assertThat(machine.statistics().chunksRerun()).isEqualTo(2);
    }

    @Test
    void neighbourOfAStuckItemThatMayRunOnceIsGivenUpWhenItHadBegun() {
        Call call = FixedCalls.ofRange(3, 1, 1);
        machine.onCall(call);
        machine.onCycleEnd(1);
        Chunk stuck = world.at(1).get(0);
        begun(1, stuck, 0);
        begun(1, world.at(1).get(1), 0);

        machine.onStuck(1, stuck.id, stuck.attempt);
        machine.onCycleEnd(2);

        assertThat(FixedCalls.lines(call))
                .containsExactlyInAnyOrder(
                        "overdue 0 at worker '1'",
                        "lost 1 after 1: ended by its pool, because another of its tasks did not end when it was"
                                + " interrupted (its deadline had passed, or its call was cancelled)");
        assertThat(open(2)).extracting(Chunk::firstIndex).containsExactly(2L);
    }

    @Test
    void behindALongItemNothingWaitsWhileANeighbourIsIdle() {
        TaskFunction function = FixedCalls.function(1);
        function.measured(MS, 1);
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 300), 0, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        Chunk slow = world.at(1).get(0);
        long nowNs = 1;
        for (int round = 0; round < 300 && call.source.known() > 0; round++) {
            nowNs += MS;
            for (int worker = 1; worker <= 2; worker++) {
                for (Chunk chunk : open(worker)) {
                    if (worker != 1 || chunk.slot() != slow.slot()) {
                        world.answer(worker, chunk, nowNs);
                    }
                }
            }
            machine.onCycleEnd(nowNs);
        }
        nowNs += 100 * MS;
        for (int worker = 1; worker <= 2; worker++) {
            for (Chunk chunk : open(worker)) {
                if (worker != 1 || chunk.slot() != slow.slot()) {
                    world.answer(worker, chunk, nowNs);
                }
            }
        }
        machine.onCycleEnd(nowNs);

        assertThat(world.lines).contains("recall of 1");
        assertThat(open(1)).allMatch(chunk -> chunk.slot() == slow.slot());
    }

    @Test
    void threadsTogetherRunNoMoreThanTheirWorkerMay() {
        PoolWorld limited = new PoolWorld(1, 3, 5).started();
        limited.machine.onCall(FixedCalls.ofRange(20, 1, 3));
        limited.machine.onCycleEnd(1);
        for (int round = 0; round < 5; round++) {
            limited.answerAll(1, 2);
            limited.machine.onCycleEnd(2);
        }

        assertThat(limited.at(1).stream().mapToInt(Chunk::count).sum()).isEqualTo(5);
        assertThat(limited.lines).containsOnlyOnce("drain 1");
    }

    @Test
    void adaptivePoolCountsTheThreadsOfItsWorkers() {
        PoolWorld adaptive = new PoolWorld(1, 4).started();
        adaptive.machine.onAdapt(1, 8, LATER_NS);
        TaskFunction function = FixedCalls.function(1);
        function.measured(50 * MS, 1);
        adaptive.machine.onCall(FixedCalls.of(function, FixedCalls.ints(0, 32), 1, 3));

        IntStream.range(1, 4).forEach(cycle -> adaptive.machine.onCycleEnd(cycle * 100L * MS));

        assertThat(adaptive.machine.registry.wanted).isEqualTo(3);
    }
}
