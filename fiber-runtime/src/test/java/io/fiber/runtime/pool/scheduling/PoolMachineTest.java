// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.PoolActivity;
import io.fiber.PoolState;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.SealedPayload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolMachineTest {

    private static final long LATER_NS = 60_000_000_000L;

    private final World world = new World();

    /** Writes down what the machine does. */
    private static final class World implements PoolEffects {
        final Map<Integer, List<Chunk>> sent = new HashMap<>();
        final Set<Integer> full = new HashSet<>();
        final List<String> lines = new ArrayList<>();
        final List<String> lost = new ArrayList<>();
        private int nextNumber = 1;

        @Override
        public WorkerTitle title(int worker) {
            return new WorkerTitle("w-" + worker, Optional.of("n17"));
        }

        @Override
        public Optional<String> waitsFor(int worker) {
            return Optional.of("Resources " + worker);
        }

        @Override
        public Optional<ProcessUsage> measure(int worker) {
            return worker == 1 ? Optional.of(new ProcessUsage(70_000_000, 1_500_000_000)) : Optional.empty();
        }

        @Override
        public int takeNumbers(int count) {
            int first = nextNumber;
            nextNumber += count;
            return first;
        }

        @Override
        public void startWorkers(int firstWorker, int count) {
            lines.add("start " + firstWorker + " + " + count);
        }

        @Override
        public boolean assign(int worker, Chunk chunk) {
            if (full.contains(worker)) {
                return false;
            }
            sent.computeIfAbsent(worker, key -> new ArrayList<>()).add(chunk);
            return true;
        }

        List<Chunk> at(int worker) {
            return sent.getOrDefault(worker, List.of());
        }

        @Override
        public void cancel(int worker, Chunk chunk) {
            lines.add("cancel at " + worker);
        }

        @Override
        public void grant(int worker, Chunk chunk, int item) {
            lines.add("grant " + (chunk.firstIndex() + item) + " at " + worker);
        }

        @Override
        public void recall(int worker, Chunk chunk) {
            lines.add("recall " + chunk.firstIndex() + " + " + chunk.count() + " at " + worker);
        }

        @Override
        public void drain(int worker) {
            lines.add("drain " + worker);
        }

        @Override
        public void released(Chunk chunk) {}

        @Override
        public void lost(Chunk chunk) {}

        @Override
        public void lost(Loss loss, long itemsAgain, long itemsFailed, long nowNs) {
            lost.add(loss.worker().name() + ": " + itemsAgain + " again, " + itemsFailed + " fail");
        }

        @Override
        public void shortOfWorkers(WorkersMissingException shortage, int failedStarts) {
            lines.add("short of workers");
        }

        @Override
        public void kill(int worker) {
            lines.add("kill " + worker);
        }

        @Override
        public void terminated(Optional<FiberException> cause) {
            lines.add("terminated");
        }
    }

    private PoolMachine pool(int workers) {
        return pool(workers, OptionalInt.empty());
    }

    private PoolMachine pool(int workers, OptionalInt perChild) {
        PoolMachine machine =
                new PoolMachine("p", new PoolLimits(workers, 1, perChild, 3, 100, 800, Integer.MAX_VALUE), world);
        machine.onStart();
        machine.onCycleEnd(0);
        for (int worker = 1; worker <= workers; worker++) {
            machine.onWorkerReady(worker, 0);
        }
        world.lines.clear();
        return machine;
    }

    private static Loss loss() {
        return PoolWorld.loss("w", "signal 9");
    }

    private static void answer(PoolMachine machine, int worker, Chunk chunk, int first, int count, long taskNs) {
        machine.onResult(
                worker,
                new ResultHeader(chunk.id, chunk.attempt, first, count, 0, taskNs * count, false),
                SealedPayload.none(),
                0);
    }

    @Test
    void itemBehindACancelledChunkIsNotBlamedForALoss() {
        PoolMachine machine = pool(1);
        TaskFunction fast = FixedCalls.function(1);
        fast.measured(1_000, 1);
        Call cancelled = FixedCalls.of(fast, FixedCalls.ints(0, 1), 0, 1);
        Call innocent = FixedCalls.of(fast, FixedCalls.ints(0, 1), 0, 1);
        machine.onCall(cancelled);
        machine.onCall(innocent);
        machine.onCycleEnd(1);
        assertThat(world.at(1)).hasSize(2);

        machine.onCancel(cancelled);
        machine.onWorkerEnded(1, loss(), LATER_NS);

        assertThat(FixedCalls.lines(innocent)).isEmpty();
        assertThat(FixedCalls.lines(cancelled)).isEmpty();
        machine.onCycleEnd(2);
        machine.onWorkerReady(2, 0);
        machine.onCycleEnd(3);
        assertThat(world.at(2)).hasSize(1).allMatch(chunk -> chunk.call == innocent && chunk.announced);
    }

    @Test
    void workerWhoseWayIsFullHoldsUpNobodyElse() {
        PoolMachine machine = pool(3);
        world.full.add(1);
        machine.onCall(FixedCalls.ofRange(30, 1, 3));

        assertThat(machine.onCycleEnd(1)).isEqualTo(2);
        assertThat(world.at(2)).extracting(Chunk::firstIndex).containsExactly(0L);
        assertThat(world.at(3)).extracting(Chunk::firstIndex).containsExactly(1L);

        world.full.clear();
        machine.onCycleEnd(2);
        assertThat(world.at(1)).extracting(Chunk::firstIndex).containsExactly(2L);
    }

    @Test
    void activitySaysWhatWaitsAndWhatEachWorkerHas() {
        PoolMachine machine = pool(2);
        Call call = FixedCalls.ofRange(30, 4, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        answer(machine, 1, world.at(1).get(0), 0, 3, 5);
        machine.onLeaving(2);

        PoolActivity activity = machine.activity();

        long sent = world.at(1).stream().mapToLong(Chunk::count).sum();
        assertThat(activity.workers())
                .first()
                .extracting(
                        PoolActivity.Worker::name,
                        PoolActivity.Worker::state,
                        PoolActivity.Worker::tasksRunning,
                        PoolActivity.Worker::tasksHeld,
                        PoolActivity.Worker::host,
                        PoolActivity.Worker::waitsFor,
                        PoolActivity.Worker::memoryBytes,
                        PoolActivity.Worker::cpuTime)
                .containsExactly(
                        "w-1",
                        PoolActivity.State.READY,
                        1,
                        sent - 3,
                        Optional.of("n17"),
                        Optional.of("Resources 1"),
                        OptionalLong.of(70_000_000),
                        Optional.of(Duration.ofMillis(1_500)));
        assertThat(activity.workers().get(1).memoryBytes()).isEmpty();
        assertThat(activity.workers().get(1).cpuTime()).isEmpty();
        assertThat(activity.workers())
                .extracting(PoolActivity.Worker::state)
                .containsExactly(PoolActivity.State.READY, PoolActivity.State.LEAVING);
        assertThat(activity.tasksRunning()).isEqualTo(2);
        long held = activity.workers().stream()
                .mapToLong(PoolActivity.Worker::tasksHeld)
                .sum();
        assertThat(activity.tasksWaiting() + held).isEqualTo(27);
    }

    @Test
    void activityCountsTheTasksThatWereReadAheadAndNotTheirBlocks() {
        PoolMachine machine = pool(1);
        FedItems blocks = new FedItems();
        blocks.offer(100, SealedPayload.none());
        blocks.offer(30, SealedPayload.none());
        machine.onCall(FixedCalls.of(FixedCalls.function(1), blocks, 0, 3));

        assertThat(machine.activity().tasksWaiting()).isEqualTo(130);
    }

    @Test
    void resultsThatCannotBelongToTheChunkEndTheWorker() {
        PoolMachine machine = pool(1);
        Call call = FixedCalls.ofRange(4, 4, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        Chunk chunk = world.at(1).get(0);

        answer(machine, 1, chunk, 1, 1, 5);
        answer(machine, 1, chunk, 0, 5, 5);
        answer(machine, 1, chunk, 0, 0, 5);
        answer(machine, 1, chunk, 0, -1, 5);

        assertThat(world.lines).containsExactly("kill 1", "kill 1", "kill 1", "kill 1");
        assertThat(FixedCalls.lines(call)).isEmpty();
        assertThat(call.function.isMeasured()).isFalse();
    }

    @Test
    void answerOfALostWorkerIsCountedAndIgnored() {
        PoolMachine machine = pool(1);
        Call call = FixedCalls.ofRange(1, 1, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        Chunk chunk = world.at(1).get(0);
        machine.onWorkerEnded(1, loss(), LATER_NS);

        answer(machine, 1, chunk, 0, 1, 5);
        machine.onBegun(1, chunk.id, 1, 0);
        machine.onDropped(1, chunk.id, 1);

        assertThat(machine.statistics().duplicatesIgnored()).isEqualTo(1);
        assertThat(world.lines).noneMatch(line -> line.startsWith("grant"));
        assertThat(FixedCalls.lines(call)).isEmpty();
    }

    @Test
    void answerToAnotherWorkersChunkIsIgnored() {
        PoolMachine machine = pool(2);
        Call call = FixedCalls.ofRange(2, 1, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        answer(machine, 2, world.at(1).get(0), 0, 1, 5);

        assertThat(machine.statistics().duplicatesIgnored()).isEqualTo(1);
        assertThat(FixedCalls.lines(call)).isEmpty();
    }

    @Test
    void workersThatThePoolItselfEndsAreNotLost() {
        PoolMachine machine = pool(2);
        Call call = FixedCalls.ofRange(2, 1, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        machine.onTerminate();
        machine.onWorkerEnded(1, loss(), LATER_NS);
        machine.onWorkerEnded(2, loss(), LATER_NS);
        machine.onCycleEnd(2);

        assertThat(world.lines).containsExactlyInAnyOrder("kill 1", "kill 2", "terminated");
        assertThat(machine.statistics().workersLost()).isZero();
        assertThat(world.lost).isEmpty();
        assertThat(machine.statistics().tasksFailed()).isZero();
        assertThat(FixedCalls.lines(call)).containsExactly("broken FBR-404");
        assertThat(machine.ledger.isIdle()).isTrue();
    }

    @Test
    void killerIsGivenUpAndItsNeighboursFinish() {
        PoolMachine machine = pool(1);
        Call call = FixedCalls.ofRange(3, 3, 2);
        machine.onCall(call);
        machine.onCycleEnd(1);
        answer(machine, 1, world.at(1).get(0), 0, 1, 5);
        machine.onWorkerEnded(1, loss(), LATER_NS);
        machine.onCycleEnd(2);
        machine.onWorkerReady(2, 0);
        machine.onCycleEnd(3);
        Chunk second = world.at(2).get(0);
        machine.onBegun(2, second.id, second.attempt, 0);
        machine.onWorkerEnded(2, loss(), LATER_NS);
        machine.onCycleEnd(4);
        machine.onWorkerReady(3, 0);
        machine.onCycleEnd(5);
        answer(machine, 3, world.at(3).get(0), 0, 1, 5);

        assertThat(FixedCalls.lines(call))
                .containsExactly("results 0 + 1", "lost 1 after 2: signal 9", "results 2 + 1", "end of 3");
        assertThat(world.lost).containsExactly("w: 2 again, 0 fail", "w: 1 again, 1 fail");
        assertThat(machine.statistics().workersLost()).isEqualTo(2);
        assertThat(machine.statistics().chunksRerun()).isEqualTo(2);
    }

    @Test
    void chunkIsCutToWhatAWorkerMayStillDo() {
        PoolMachine machine = pool(1, OptionalInt.of(10));
        machine.onCall(FixedCalls.ofRange(25, 8, 3));
        machine.onCycleEnd(1);
        answer(machine, 1, world.at(1).get(0), 0, 8, 5);
        machine.onCycleEnd(2);

        assertThat(world.at(1)).extracting(Chunk::count).containsExactly(8, 2);
        assertThat(world.lines).containsExactly("drain 1");
        assertThat(machine.registry.ready).isZero();
    }

    @Test
    void partsOfALostChunkKeepItsAttemptsAndRunAlone() {
        PoolMachine machine = pool(1);
        Call call = FixedCalls.ofRange(5, 5, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        machine.onWorkerEnded(1, loss(), LATER_NS);
        Chunk again = machine.ledger.again.element();
        Chunk part = again.unsentPart(2, 3);

        assertThat(part.alone).isTrue();
        assertThat(part.announced).isTrue();
        assertThat(part.lostAttempts).isEqualTo(again.lostAttempts).isEqualTo(1);
        assertThat(part.firstIndex()).isEqualTo(2);
    }

    @Test
    void blockIsNotMadeGreaterThanWhatAWorkerMayDo() {
        PoolMachine machine = pool(1, OptionalInt.of(10));
        TaskFunction fast = FixedCalls.function(1);
        fast.measured(50 << 10, 1 << 10);
        FedItems blocks = new FedItems();
        machine.onCall(FixedCalls.of(fast, blocks, 0, 3));
        machine.onCycleEnd(1);

        assertThat(blocks.suggestedItems()).isEqualTo(10);
    }

    @Test
    void refusedCallClosesItsSourceAndFreesItsFunction() {
        PoolMachine machine = pool(1);
        machine.onShutdown();
        FedItems blocks = new FedItems();
        Call call = FixedCalls.of(FixedCalls.function(1), blocks, 0, 3);
        machine.onCall(call);

        assertThat(blocks.isClosed()).isTrue();
        assertThat(call.function.isInUse()).isFalse();
        assertThat(FixedCalls.lines(call)).containsExactly("broken FBR-404");
    }

    @Test
    void callWhoseInputEndsAfterItsLastResultEnds() {
        PoolMachine machine = pool(1);
        FedItems blocks = new FedItems();
        Call call = FixedCalls.of(FixedCalls.function(1), blocks, 0, 3);
        machine.onCall(call);
        blocks.offer(1, SealedPayload.none());
        machine.onCycleEnd(1);
        answer(machine, 1, world.at(1).get(0), 0, 1, 5);
        assertThat(FixedCalls.lines(call)).containsExactly("results 0 + 1");

        blocks.end();
        machine.onInputEnd(call);
        machine.onInputEnd(call);

        assertThat(FixedCalls.lines(call)).containsExactly("results 0 + 1", "end of 1");
    }

    @Test
    void everyCallHasItsTurn() {
        PoolMachine machine = pool(1);
        List<Call> calls =
                List.of(FixedCalls.ofRange(9, 1, 3), FixedCalls.ofRange(9, 1, 3), FixedCalls.ofRange(9, 1, 3));
        calls.forEach(machine::onCall);
        for (int i = 0; i < 6; i++) {
            machine.onCycleEnd(i);
            answer(machine, 1, world.at(1).get(i), 0, 1, 1_000_000_000);
        }
        assertThat(world.at(1)).extracting(chunk -> calls.indexOf(chunk.call)).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void startingWorkersAreKilledWhenNothingIsLeftToDo() {
        PoolMachine machine =
                new PoolMachine("p", new PoolLimits(2, 1, OptionalInt.empty(), 3, 100, 800, Integer.MAX_VALUE), world);
        machine.onStart();
        machine.onCycleEnd(0);
        machine.onWorkerReady(1, 0);
        machine.onShutdown();
        machine.onCycleEnd(1);
        machine.onWorkerReady(2, 0);
        machine.onCycleEnd(2);
        machine.onWorkerEnded(2, loss(), LATER_NS);
        machine.onWorkerEnded(1, loss(), LATER_NS);
        machine.onCycleEnd(3);

        assertThat(world.lines).containsExactlyInAnyOrder("start 1 + 2", "drain 1", "kill 2", "terminated");
        assertThat(machine.state()).isEqualTo(PoolState.TERMINATED);
        assertThat(machine.statistics().workersLost()).isZero();
    }

    @Test
    void cancelCostsTheSameHoweverMuchIsOpen() {
        int workers = 1_000;
        PoolMachine machine = pool(workers);
        List<Call> calls = new ArrayList<>();
        TaskFunction fast = FixedCalls.function(1);
        fast.measured(1_000, 1);
        for (int i = 0; i < 100_000; i++) {
            Call call = FixedCalls.of(fast, new ItemSource(SealedPayload.none(), () -> {}), 0, 3);
            calls.add(call);
            machine.onCall(call);
        }
        machine.onCycleEnd(1);
        calls.forEach(machine::onCancel);

        assertThat(machine.dispatcher.turns.size()).isZero();
        assertThat(world.lines).hasSize(100_000).allMatch(line -> line.startsWith("cancel at "));
    }
}
