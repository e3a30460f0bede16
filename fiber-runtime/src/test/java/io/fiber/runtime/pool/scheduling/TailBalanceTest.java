// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is queued at a slow worker goes to idle ones; what is stuck is ended with its worker. */
class TailBalanceTest {

    private static final long MS = 1_000_000;

    private final PoolWorld world = new PoolWorld(2).started();
    private final PoolMachine machine = world.machine;

    /** Two workers with everything of a call; the second one has answered all, and 50 ms have passed. */
    private Call slowFirstWorker(int chunkItems) {
        TaskFunction function = FixedCalls.function(1);
        function.measured(100_000 * 16, 16);
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 40), chunkItems, 3);
        machine.onCall(call);
        for (long nowNs = MS; !call.source.isExhausted(); nowNs += MS) {
            machine.onCycleEnd(nowNs);
            world.answerAll(2, nowNs);
        }
        world.answerAll(2, 49 * MS);
        machine.onCycleEnd(50 * MS);
        return call;
    }

    @Test
    void recallThatIsNotAnsweredIsRepeated() {
        slowFirstWorker(0);
        List<String> recalls = List.copyOf(world.lines);
        assertThat(recalls).isNotEmpty();
        world.lines.clear();

        machine.onCycleEnd(149 * MS);
        assertThat(world.lines).isEmpty();
        machine.onCycleEnd(200 * MS);
        assertThat(world.lines).isEqualTo(recalls);
        world.at(1).forEach(chunk -> machine.onShortened(1, chunk.id, chunk.attempt, chunk.count()));
        world.lines.clear();
        machine.onCycleEnd(400 * MS);

        assertThat(world.lines).isEmpty();
    }

    @Test
    void whatHasNotBegunIsTakenBackFromASlowWorkerAndGivenToAnIdleOne() {
        Call call = slowFirstWorker(0);
        List<Chunk> held = List.copyOf(world.at(1));
        assertThat(world.lines).hasSize(held.size()).allMatch(line -> line.equals("recall of 1"));
        int before = world.at(2).size();

        Chunk running = held.get(0);
        for (Chunk chunk : held) {
            machine.onShortened(1, chunk.id, chunk.attempt, chunk == running ? 1 : 0);
        }
        for (long nowNs = 51 * MS;
                world.at(2).size() == before || !FixedCalls.lines(call).isEmpty();
                nowNs += MS) {
            machine.onCycleEnd(nowNs);
            world.answerAll(2, nowNs);
            if (machine.statistics().tasksDone() == 39) {
                break;
            }
        }
        assertThat(running.count()).isEqualTo(1);
        assertThat(FixedCalls.lines(call)).noneMatch(line -> line.startsWith("end"));
        world.answer(1, running, 200 * MS);

        assertThat(FixedCalls.lines(call)).contains("end of 40");
        assertThat(machine.isAnswerExpected()).isFalse();
    }

    @Test
    void runningChunkOfAFixedSizeStaysTogether() {
        slowFirstWorker(5);
        int held = world.at(1).size();

        assertThat(world.lines).hasSize(held - 1);
    }

    @Test
    void runningChunksThatTravelTogetherDoNot() {
        slowFirstWorker(1);
        int held = world.at(1).size();

        assertThat(world.at(1)).allMatch(chunk -> chunk.count() > 1);
        assertThat(world.lines).hasSize(held);
    }

    @Test
    void chunkIsRecalledOnce() {
        slowFirstWorker(0);
        int recalls = world.lines.size();

        machine.onCycleEnd(60 * MS);
        machine.onCycleEnd(70 * MS);

        assertThat(world.lines).hasSize(recalls);
    }

    @Test
    void workerThatKeepsFewerItemsThanItHasAnsweredIsEnded() {
        slowFirstWorker(0);
        Chunk running = world.at(1).get(0);
        machine.onResult(
                1,
                new ResultHeader(running.id, running.attempt, 0, 2, 0, 1000, false),
                io.fiber.runtime.protocol.SealedPayload.none(),
                51 * MS);

        machine.onShortened(1, running.id, running.attempt, 1);

        assertThat(world.lines).contains("kill 1");
    }

    @Test
    void answerToARecallOfALostWorkerIsIgnored() {
        Call call = slowFirstWorker(0);
        Chunk running = world.at(1).get(0);
        machine.onWorkerEnded(1, PoolWorld.loss(), 51 * MS);

        machine.onShortened(1, running.id, running.attempt, 1);

        assertThat(FixedCalls.lines(call)).noneMatch(line -> line.startsWith("lost"));
        assertThat(world.lines).doesNotContain("kill 1");
    }

    @Test
    void itemThatDoesNotEndFailsAloneAndItsWorkerIsReplaced() {
        TaskFunction function = FixedCalls.function(1);
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 6), 3, 3);
        machine.onCall(call);
        machine.onCycleEnd(1);
        Chunk chunk = world.at(1).get(0);
        machine.onResult(
                1,
                new ResultHeader(chunk.id, chunk.attempt, 0, 1, 0, 1000, false),
                io.fiber.runtime.protocol.SealedPayload.none(),
                2);

        machine.onStuck(1, chunk.id, chunk.attempt);
        machine.onWorkerEnded(1, PoolWorld.loss(), 3);
        machine.onCycleEnd(4);
        machine.onWorkerReady(3, 5);
        for (long nowNs = 6; nowNs < 20; nowNs++) {
            machine.onCycleEnd(nowNs);
            world.answerAll(2, nowNs);
            world.answerAll(3, nowNs);
        }

        assertThat(FixedCalls.lines(call)).contains("overdue 1 at worker '1'", "end of 6");
        assertThat(world.lines).contains("kill 1", "start 3 + 1");
        assertThat(machine.statistics().tasksFailed()).isEqualTo(1);
        assertThat(machine.statistics().workersLost()).isZero();
        assertThat(machine.statistics().chunksRerun()).isZero();
    }
}
