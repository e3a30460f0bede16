// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.wire.Messages;
import org.junit.jupiter.api.Test;

/** What ends its workers before an item has run is given up after few of them. */
class LethalChunksTest {

    private int worker;
    private long nowNs;

    /** Has the next worker take what there is; returns false when there is nothing for it. */
    private boolean isSent(PoolWorld world) {
        world.machine.onCycleEnd(nowNs += 1_000);
        world.machine.onWorkerReady(++worker, nowNs);
        world.machine.onCycleEnd(nowNs += 1_000);
        return !world.at(worker).isEmpty();
    }

    private void lose(PoolWorld world) {
        world.machine.onWorkerGone(worker, PoolWorld.loss(), nowNs += 1_000_000_000);
    }

    @Test
    void itemThatNeverBeginsIsGivenUpAfterFiveWorkers() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofRange(1, 1, 1);
        world.machine.onCall(call);

        while (isSent(world) && worker < 100) {
            lose(world);
        }

        assertThat(FixedCalls.lines(call)).containsExactly("lost 0 after 5: signal 9", "end of 1");
        assertThat(worker - 1).isEqualTo(5);
    }

    @Test
    void workerThatIsLostWhileAnItemRunsDoesNotCountAsLostBefore() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofRange(1, 1, 3);
        world.machine.onCall(call);

        while (isSent(world) && worker < 100) {
            Chunk chunk = world.at(worker).get(0);
            if (worker % 4 == 0) {
                world.machine.onBegun(worker, chunk.id(), chunk.attempt(), 0);
            }
            lose(world);
        }

        assertThat(FixedCalls.lines(call)).containsExactly("lost 0 after 3: signal 9", "end of 1");
        assertThat(worker - 1).isEqualTo(8);
    }

    @Test
    void functionThatEndsEachWorkerEndsItsCallAndNoOther() {
        PoolWorld world = new PoolWorld(1);
        Call lethal = FixedCalls.ofRange(1_000, 1, 1);
        Call other = FixedCalls.ofRange(1, 1, 1);
        world.machine.onCall(lethal);

        while (isSent(world) && worker < 100) {
            Chunk chunk = world.at(worker).get(0);
            world.machine.onBegun(worker, chunk.id(), chunk.attempt(), Messages.FUNCTION);
            assertThat(world.lines).contains("grant -1 at " + worker);
            lose(world);
        }
        world.machine.onCall(other);
        world.machine.onCycleEnd(nowNs += 1_000);
        world.answerAll(worker, nowNs);

        assertThat(FixedCalls.lines(lethal))
                .containsExactly(
                        "lost 0 after 1: signal 9",
                        "lost 1 after 1: signal 9",
                        "lost 2 after 1: signal 9",
                        "broken FBR-402");
        assertThat(worker - 1).isEqualTo(3);
        assertThat(FixedCalls.lines(other)).endsWith("end of 1");
    }

    @Test
    void functionThatHasRunIsNotBlamedForWorkersThatAreLostNowAndThen() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofRange(40, 1, 2);
        world.machine.onCall(call);

        while (isSent(world) && worker < 100) {
            Chunk chunk = world.at(worker).get(0);
            if (worker % 2 == 0) {
                world.answer(worker, chunk, nowNs);
            } else {
                world.machine.onBegun(worker, chunk.id(), chunk.attempt(), Messages.FUNCTION);
            }
            lose(world);
        }

        assertThat(FixedCalls.lines(call)).endsWith("end of 40").noneMatch(line -> line.startsWith("broken"));
    }

    @Test
    void functionIsBlamedOnlyWhereNothingElseHadBegun() {
        PoolWorld world = new PoolWorld(1, 2);
        Call lethal = FixedCalls.ofRange(1_000, 1, 1);
        Call neighbour = FixedCalls.ofRange(1_000, 1, 1);
        world.machine.onCall(lethal);
        world.machine.onCall(neighbour);

        while (worker < 10 && isSent(world)) {
            beginFunctions(world);
            lose(world);
        }
        assertThat(lethal.isEnded()).isFalse();
        assertThat(neighbour.isEnded()).isFalse();

        world.machine.onCancel(neighbour);
        while (worker < 20 && !lethal.isEnded() && isSent(world)) {
            beginFunctions(world);
            lose(world);
        }
        assertThat(worker).isEqualTo(13);
        assertThat(FixedCalls.lines(lethal)).endsWith("broken FBR-402");
    }

    /** Has the worker begin to deserialize the function of each chunk that it has. */
    private void beginFunctions(PoolWorld world) {
        for (Chunk chunk : world.at(worker)) {
            world.machine.onBegun(worker, chunk.id(), chunk.attempt(), Messages.FUNCTION);
        }
    }
}
