// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Messages;
import io.fiber.spec.EndCause;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What ends its workers before an item has run is given up after few of them. */
class LethalChunksTest {

    private int worker;
    private long nowNs;

    /** Has the next worker take what there is; returns false when there is nothing for it. */
    private boolean isSent(PoolWorld world) {
        world.machine.onCycleEnd(nowNs += 1_000);
        world.machine.onWorkerReady(++worker, nowNs);
        // What must run alone is taken from its call in one cycle, and sent in the next.
        world.machine.onCycleEnd(nowNs += 1_000);
        world.machine.onCycleEnd(nowNs += 1_000);
        return !world.at(worker).isEmpty();
    }

    private void lose(PoolWorld world) {
        lose(world, PoolWorld.loss());
    }

    private void lose(PoolWorld world, Loss loss) {
        world.machine.onWorkerEnded(worker, loss, nowNs += 1_000_000_000);
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
    void workersThatThePlatformTakesAwayDoNotCountAsEndedByWhatTheyWereSent() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofRange(1, 1, 1);
        world.machine.onCall(call);

        for (int taken = 0; taken < 20; taken++) {
            assertThat(isSent(world)).isTrue();
            lose(world, PoolWorld.loss("p-1", EndCause.PREEMPTED, "preempted"));
        }
        assertThat(isSent(world)).isTrue();
        world.answerAll(worker, nowNs);

        assertThat(FixedCalls.lines(call)).endsWith("end of 1").noneMatch(line -> line.startsWith("lost"));
    }

    @Test
    void workerThatIsLostWhileAnItemRunsDoesNotCountAsLostBefore() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofRange(1, 1, 3);
        world.machine.onCall(call);

        while (isSent(world) && worker < 100) {
            Chunk chunk = world.at(worker).get(0);
            if (worker % 4 == 0) {
                world.machine.onBegun(worker, chunk.id, chunk.attempt, 0);
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
            world.machine.onBegun(worker, chunk.id, chunk.attempt, Messages.FUNCTION);
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
                world.machine.onBegun(worker, chunk.id, chunk.attempt, Messages.FUNCTION);
            }
            lose(world);
        }

        assertThat(FixedCalls.lines(call)).endsWith("end of 40").noneMatch(line -> line.startsWith("broken"));
    }

    /** Both begin together in three workers; from then on each runs alone until it is known which one ends them. */
    @Test
    void functionIsBlamedOnlyWhereNothingElseHadBegun() {
        PoolWorld world = new PoolWorld(1, 2);
        Call lethal = FixedCalls.ofRange(1_000, 1, 1);
        Call neighbour = FixedCalls.ofRange(1_000, 1, 1);
        world.machine.onCall(lethal);
        world.machine.onCall(neighbour);

        for (int loss = 0; loss < 3; loss++) {
            assertThat(isSent(world)).isTrue();
            world.at(worker).forEach(chunk -> begin(world, chunk));
            lose(world);
        }
        assertThat(List.of(lethal, neighbour)).allMatch(call -> call.isDoubted() && !call.isEnded());

        while (!lethal.isEnded() && worker < 100) {
            assertThat(isSent(world)).isTrue();
            assertThat(world.at(worker)).hasSize(1);
            Chunk only = world.at(worker).get(0);
            begin(world, only);
            if (only.call == neighbour) {
                world.answer(worker, only, nowNs);
                assertThat(neighbour.isDoubted()).isFalse();
                world.machine.onCancel(neighbour);
            }
            lose(world);
        }
        assertThat(FixedCalls.lines(lethal)).endsWith("broken FBR-402");
        assertThat(FixedCalls.lines(neighbour)).noneMatch(line -> line.startsWith("broken FBR-402"));
        assertThat(worker).isLessThanOrEqualTo(7);
    }

    private void begin(PoolWorld world, Chunk chunk) {
        world.machine.onBegun(worker, chunk.id, chunk.attempt, Messages.FUNCTION);
    }
}
