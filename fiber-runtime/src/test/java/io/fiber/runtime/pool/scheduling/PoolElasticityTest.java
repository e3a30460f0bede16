// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.PoolBrokenException;
import io.fiber.PoolState;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How many workers a pool has, and what becomes of the work of those that go. */
class PoolElasticityTest {

    private static final long MS = 1_000_000;

    @Test
    void growingPoolStartsWhatIsMissing() {
        PoolWorld world = new PoolWorld(2).started();

        world.machine.onResize(5);
        world.machine.onCycleEnd(1);

        assertThat(world.lines).containsExactly("start 3 + 3");
        assertThat(world.machine.registry.wanted).isEqualTo(5);
    }

    @Test
    void shrinkingPoolSendsAwayWhoIsNotUpYetAndThenWhoHasLeast() {
        PoolWorld world = new PoolWorld(3).started();
        world.machine.onCall(FixedCalls.ofRange(1, 1, 3));
        world.machine.onCycleEnd(1);
        assertThat(world.at(1)).hasSize(1);
        world.machine.onResize(4);
        world.machine.onCycleEnd(2);
        world.lines.clear();

        world.machine.onResize(1);
        world.machine.onCycleEnd(3);

        assertThat(world.lines).containsExactly("kill 4", "drain 3", "drain 2");
        assertThat(world.machine.registry.ready).isEqualTo(1);
    }

    @Test
    void workerThatIsSentAwayHandsBackWhatItHasNotBegun() {
        PoolWorld world = new PoolWorld(2).started();
        Call call = FixedCalls.ofRange(4, 2, 3);
        world.machine.onCall(call);
        world.machine.onCycleEnd(1);
        Chunk first = world.at(1).get(0);
        Chunk second = world.at(2).get(0);
        world.machine.onCall(FixedCalls.ofRange(1, 1, 3));

        world.machine.onResize(1);
        world.machine.onCycleEnd(2);
        assertThat(world.lines).containsExactly("recall of 2", "drain 2");
        world.machine.onShortened(2, second.id, second.attempt, 1);
        world.answer(2, second, 3);
        world.machine.onWorkerEnded(2, PoolWorld.loss(), 3);
        world.answer(1, first, 4);
        world.machine.onCycleEnd(5);
        assertThat(world.at(1)).anyMatch(chunk -> chunk.call == call && chunk.firstIndex() == 3);
        world.answerAll(1, 6);

        assertThat(FixedCalls.lines(call)).contains("end of 4");
        assertThat(world.machine.statistics().workersLost()).isZero();
    }

    @Test
    void workerThatItsPlatformWillEndHandsBackWhatItHasNotBegunAndCountsAsLostOnlyWithWhatItHad() {
        PoolWorld world = new PoolWorld(1).started();
        Call call = FixedCalls.ofRange(4, 4, 2);
        world.machine.onCall(call);
        world.machine.onCycleEnd(1);
        Chunk chunk = world.at(1).get(0);

        world.machine.onLeaving(1);
        assertThat(world.lines).containsExactly("recall of 1", "drain 1");
        world.machine.onShortened(1, chunk.id, chunk.attempt, 1);
        world.machine.onWorkerEnded(1, PoolWorld.loss(), 2);
        world.machine.onCycleEnd(3);
        world.machine.onWorkerReady(2, 4);
        world.machine.onCycleEnd(5);
        world.answerAll(2, 6);
        world.machine.onCycleEnd(7);
        world.answerAll(2, 8);

        assertThat(FixedCalls.lines(call)).contains("end of 4");
        assertThat(world.machine.statistics().chunksRerun()).isEqualTo(1);
        assertThat(world.machine.statistics().workersLost()).isEqualTo(1);
    }

    @Test
    void workerThatItsPlatformWillEndAndThatHasDoneItsWorkIsNotLost() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onLeaving(1);
        world.machine.onWorkerEnded(1, PoolWorld.loss(), 2);
        world.machine.onCycleEnd(3);

        assertThat(world.lines).containsExactly("drain 1", "start 2 + 1");
        assertThat(world.machine.statistics().workersLost()).isZero();
    }

    @Test
    void workerThatItsPlatformWillEndBeforeItIsUpIsReplacedAndNoFailedStart() {
        PoolWorld world = new PoolWorld(1);
        world.machine.onStart();
        world.machine.onCycleEnd(0);
        world.lines.clear();

        world.machine.onLeaving(1);
        world.machine.onWorkerEnded(1, PoolWorld.loss(), 1);
        world.machine.onCycleEnd(2);

        assertThat(world.lines).containsExactly("kill 1", "start 2 + 1");
    }

    @Test
    void adaptivePoolGrowsWhenWorkWaitsAndShrinksWhenThereIsNone() {
        PoolWorld world = new PoolWorld(1);
        world.machine.onAdapt(1, 4, 1000 * MS);
        world.started();
        TaskFunction slow = FixedCalls.function(1);
        slow.measured(300 * MS, 1);
        Call call = FixedCalls.of(slow, FixedCalls.ints(0, 3), 1, 3);
        world.machine.onCall(call);
        world.machine.onCycleEnd(1);
        world.machine.onCycleEnd(30 * MS);
        assertThat(world.machine.registry.wanted).isEqualTo(4);
        assertThat(world.lines).containsExactly("start 2 + 3");

        for (int worker = 2; worker <= 4; worker++) {
            world.machine.onWorkerReady(worker, 40 * MS);
        }
        world.machine.onCycleEnd(60 * MS);
        for (int worker = 1; worker <= 3; worker++) {
            world.answerAll(worker, 70 * MS);
        }
        world.machine.onCycleEnd(100 * MS);
        world.lines.clear();
        world.machine.onCycleEnd(1000 * MS);
        assertThat(world.lines).isEmpty();
        world.machine.onCycleEnd(1200 * MS);

        assertThat(world.lines).hasSize(3).allMatch(line -> line.startsWith("drain "));
        assertThat(world.machine.registry.wanted).isEqualTo(1);
    }

    @Test
    void adaptivePoolDoesNotGrowForWorkThatIsSoonDone() {
        PoolWorld world = new PoolWorld(1);
        world.machine.onAdapt(1, 4, 1000 * MS);
        world.started();
        TaskFunction quick = FixedCalls.function(1);
        quick.measured(1000, 1);
        world.machine.onCall(FixedCalls.of(quick, FixedCalls.ints(0, 100), 1, 3));
        world.machine.onCycleEnd(1);
        world.machine.onCycleEnd(30 * MS);

        assertThat(world.machine.registry.wanted).isEqualTo(1);
    }

    @Test
    void workOfUnknownSizeThatHasWaitedForAWhileIsWorthMoreWorkers() {
        PoolWorld world = new PoolWorld(1);
        world.machine.onAdapt(0, 3, 1000 * MS);
        world.started();
        world.machine.onCall(FixedCalls.ofRange(10, 1, 3));
        world.machine.onCycleEnd(1);
        world.machine.onCycleEnd(100 * MS);
        assertThat(world.machine.registry.wanted).isEqualTo(1);

        world.machine.onCycleEnd(400 * MS);

        assertThat(world.machine.registry.wanted).isEqualTo(3);
    }

    @Test
    void workerThatEndsIdleRightAfterItWasReadyCountsAsAFailedStart() {
        PoolWorld world = new PoolWorld(1).started();

        world.machine.onWorkerEnded(1, PoolWorld.loss(), 10);
        world.machine.onCycleEnd(11);
        assertThat(world.lines).as("back-off").isEmpty();
        world.machine.onCycleEnd(111);
        assertThat(world.lines).containsExactly("start 2 + 1");
        world.machine.onWorkerReady(2, 120);
        world.machine.onWorkerEnded(2, PoolWorld.loss(), 130);
        world.machine.onCycleEnd(300);
        assertThat(world.lines).as("back-off is twice as long").hasSize(1);
        world.machine.onCycleEnd(331);
        world.machine.onWorkerReady(3, 340);
        world.machine.onWorkerEnded(3, PoolWorld.loss(), 350);

        assertThat(world.machine.state()).isEqualTo(PoolState.TERMINATING);
        assertThat(world.machine.cause()).get().isInstanceOf(PoolBrokenException.class);
    }

    @Test
    void workersThatEndIdleDoNotBreakAPoolWhoseOthersServe() {
        PoolWorld world = new PoolWorld(2).started();
        int next = 3;
        for (long nowNs = 1000; nowNs < 20_000; nowNs += 1000) {
            world.machine.onWorkerEnded(next - 1, PoolWorld.loss(), nowNs);
            world.machine.onCall(FixedCalls.ofRange(1, 1, 3));
            world.machine.onCycleEnd(nowNs + 1);
            world.answerAll(1, nowNs + 2);
            world.machine.onCycleEnd(nowNs + 900);
            world.machine.onWorkerReady(next, nowNs + 901);
            next++;
        }

        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
        assertThat(world.machine.registry.ready).isEqualTo(2);
    }

    @Test
    void workerThatEndsIdleLongAfterItWasReadyIsReplacedAtOnce() {
        PoolWorld world = new PoolWorld(1).started();

        world.machine.onWorkerEnded(1, PoolWorld.loss(), 1000 * MS);
        world.machine.onCycleEnd(1000 * MS);

        assertThat(world.lines).containsExactly("start 2 + 1");
    }

    @Test
    void workerThatEndsAfterItHadWorkIsReplacedAtOnce() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onCall(FixedCalls.ofRange(1, 1, 3));
        world.machine.onCycleEnd(1);

        world.machine.onWorkerEnded(1, PoolWorld.loss(), 2);
        world.machine.onCycleEnd(3);

        assertThat(world.lines).isEqualTo(List.of("start 2 + 1"));
    }

    @Test
    void workersThatShareProcessorsStartSoManyAtATime() {
        PoolWorld world = new PoolWorld(new PoolLimits(5, 1, OptionalInt.empty(), 3, 100, 800, 2));
        world.machine.onStart();
        world.machine.onCycleEnd(0);
        assertThat(world.lines).containsExactly("start 1 + 2");

        world.machine.onWorkerReady(2, 1);
        world.machine.onCycleEnd(2);
        assertThat(world.lines).containsExactly("start 1 + 2", "start 3 + 1");

        world.machine.onWorkerEnded(1, PoolWorld.loss(), 3);
        world.machine.onCycleEnd(200);
        assertThat(world.lines).containsExactly("start 1 + 2", "start 3 + 1", "start 4 + 1");
    }

    @Test
    void workersThatTakeLongToStartDoNotHoldUpTheOthers() {
        PoolWorld world = new PoolWorld(new PoolLimits(5, 1, OptionalInt.empty(), 3, 100, 800, 2));
        world.machine.onStart();
        world.machine.onCycleEnd(0);
        world.machine.onCycleEnd(299 * MS);
        assertThat(world.lines).containsExactly("start 1 + 2");

        world.machine.onCycleEnd(300 * MS);
        world.machine.onCycleEnd(600 * MS);
        assertThat(world.lines).containsExactly("start 1 + 2", "start 3 + 2", "start 5 + 1");
    }
}
