// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.PoolState;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.spec.EndCause;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of a pool whose workers do not start; three failures in a row are too many. */
class FailedStartsTest {

    private static final long SOON_NS = 10;
    private static final long LATER_NS = 100_000;

    private static void failToStart(PoolWorld world, int first, int last, long nowNs) {
        IntStream.rangeClosed(first, last)
                .forEach(worker -> world.machine.onWorkerEnded(worker, PoolWorld.loss(), nowNs));
    }

    @Test
    void tooManyEndThePool() {
        PoolWorld world = new PoolWorld(1);
        Call call = FixedCalls.ofOne();
        world.machine.onCall(call);
        world.machine.onCycleEnd(0);
        failToStart(world, 1, 1, 10);
        world.machine.onCycleEnd(109);
        assertThat(world.lines).containsExactly("start 1 + 1");
        world.machine.onCycleEnd(110);
        failToStart(world, 2, 2, 120);
        world.machine.onCycleEnd(320);
        failToStart(world, 3, 3, 330);
        world.machine.onCycleEnd(331);

        assertThat(FixedCalls.lines(call)).containsExactly("broken FBR-403");
        assertThat(world.machine.cause().orElseThrow().code()).isEqualTo("FBR-403");
        assertThat(world.lines).endsWith("terminated");
    }

    @Test
    void workersThatAreRefusedForGoodEndThePoolAtOnce() {
        PoolWorld world = new PoolWorld(2);
        Call call = FixedCalls.ofOne();
        world.machine.onCall(call);
        world.machine.onCycleEnd(0);
        Loss refused = PoolWorld.notStarted("p-1", "FBR-106 No GPU here.", ProcessEnd.Kind.REJECTED);
        world.machine.onWorkerEnded(1, refused, SOON_NS);
        world.machine.onWorkerEnded(2, refused, SOON_NS);
        world.machine.onCycleEnd(LATER_NS);

        assertThat(FixedCalls.lines(call)).containsExactly("broken FBR-403");
        assertThat(world.machine.cause().orElseThrow())
                .hasMessage("FBR-403 Pool 'p' ended: the platform refused its workers: FBR-106 No GPU here.");
        assertThat(world.lines)
                .contains("start 1 + 2")
                .doesNotContain("start 3 + 2")
                .endsWith("terminated");
    }

    /** As by a limit on the number of jobs. */
    @Test
    void poolOfWhichSomeWorkersAreRefusedGoesOnWithTheOthers() {
        PoolWorld world = new PoolWorld(8);
        Call call = FixedCalls.ofOne();
        world.machine.onCall(call);
        world.machine.onCycleEnd(0);
        Loss refused = PoolWorld.notStarted("p-8", "Too many.", ProcessEnd.Kind.REJECTED);
        for (int worker = 4; worker <= 8; worker++) {
            world.machine.onWorkerEnded(worker, refused, SOON_NS);
        }
        world.machine.onCycleEnd(LATER_NS);
        world.machine.onWorkerReady(1, LATER_NS);
        world.machine.onCycleEnd(LATER_NS);
        world.answerAll(1, LATER_NS);

        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
        assertThat(call.isEnded()).isTrue();
    }

    /** As on a cluster with one machine on which nothing starts: its places are free again first. */
    @Test
    void poolWaitsForTheWorkersThatWereOnTheirWayWhenOthersFailed() {
        PoolWorld world = new PoolWorld(6);
        world.machine.onCall(FixedCalls.ofOne());
        world.machine.onCycleEnd(0);
        failToStart(world, 1, 4, SOON_NS);
        world.machine.onCycleEnd(LATER_NS);
        failToStart(world, 7, 10, LATER_NS);
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);

        failToStart(world, 5, 5, LATER_NS);
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
        failToStart(world, 6, 6, LATER_NS);
        world.machine.onCycleEnd(LATER_NS);
        assertThat(world.machine.cause().orElseThrow().code()).isEqualTo("FBR-403");
    }

    /** No other is started while one is up or on its way; the last of those is taken away before it is ready. */
    @Test
    void workersAreStartedAgainWhenTheInitializerHasEndedManyAndNoneIsLeft() {
        PoolWorld world = new PoolWorld(5);
        world.machine.onCall(FixedCalls.ofOne());
        world.machine.onCycleEnd(0);
        for (int worker = 1; worker <= 4; worker++) {
            world.machine.onWorkerEnded(worker, PoolWorld.loss().at(Loss.Stage.INITIALIZING), SOON_NS);
        }
        world.machine.onWorkerEnded(5, PoolWorld.postponed(), SOON_NS);
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);

        world.machine.onCycleEnd(LATER_NS);

        assertThat(world.lines).last().isEqualTo("start 6 + 5");
    }

    @Test
    void workersThatThePlatformTakesAwayAreNoFailedStarts() {
        PoolWorld world = new PoolWorld(1);
        Loss taken = PoolWorld.loss("p-1", EndCause.PREEMPTED, "preempted");
        Call call = FixedCalls.ofOne();
        world.machine.onCall(call);
        world.machine.onCycleEnd(0);
        for (int worker = 1; worker <= 5; worker++) {
            world.machine.onWorkerEnded(worker, taken, worker * LATER_NS);
            world.machine.onCycleEnd(worker * LATER_NS);
            assertThat(world.lines).as("back-off").doesNotContain("start " + (worker + 1) + " + 1");
            world.machine.onCycleEnd(worker * LATER_NS + 800);
        }
        assertThat(world.machine.statistics().workersLost()).isZero();

        world.machine.onWorkerReady(6, 6 * LATER_NS);
        world.machine.onCycleEnd(6 * LATER_NS);
        world.machine.onWorkerEnded(6, taken, 6 * LATER_NS + 1);
        world.machine.onCycleEnd(6 * LATER_NS + 2);

        assertThat(world.machine.statistics().workersLost()).isEqualTo(1);
        assertThat(world.lines).last().isEqualTo("start 7 + 1");
        assertThat(FixedCalls.lines(call)).isEmpty();
    }

    @Test
    void poolThatHasWorkersGoesOnWhenMoreAreRefused() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onResize(2);
        world.machine.onCycleEnd(1);
        world.machine.onWorkerEnded(2, PoolWorld.notStarted("p-2", "Full.", ProcessEnd.Kind.REJECTED), SOON_NS);
        world.machine.onCycleEnd(LATER_NS);

        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
    }

    /** The end of a machine on which many workers start is the end of all of them at once. */
    @Test
    void poolGoesOnWithTheWorkersThatAreReady() {
        PoolWorld world = new PoolWorld(2).started();
        Call call = FixedCalls.ofRange(2, 1, 3);
        world.machine.onResize(8);
        world.machine.onCycleEnd(1);
        world.lines.clear();

        failToStart(world, 3, 8, SOON_NS);
        world.machine.onCall(call);
        world.machine.onCycleEnd(SOON_NS);
        world.answerAll(1, SOON_NS);
        world.answerAll(2, SOON_NS);
        world.machine.onCycleEnd(LATER_NS);

        assertThat(world.lines)
                .hasSize(5)
                .startsWith("FBR-407 The last 3 workers of pool 'p' did not start; the last one, w: signal 9. It"
                        + " wrote no output.\nThe 2 running workers continue. Fiber keeps trying to start the missing"
                        + " ones, and waits longer each time.")
                .endsWith("start 9 + 6");
        assertThat(world.lines.get(3)).startsWith("FBR-407 The last 6 workers of pool 'p' ");
        assertThat(call.isEnded()).isTrue();
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
    }

    /** Its worker is the only one that comes up. */
    private static PoolWorld worldWithAnInitializerThatEndsTheOthers() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onResize(3);
        for (long nowNs = 1; nowNs < 100 * LATER_NS; nowNs += LATER_NS) {
            world.machine.onCycleEnd(nowNs);
            failLastStarts(world, nowNs);
        }
        return world;
    }

    private static void failLastStarts(PoolWorld world, long nowNs) {
        String last = world.lines.isEmpty() ? "" : world.lines.get(world.lines.size() - 1);
        if (last.startsWith("start ")) {
            String[] words = last.split(" ", -1);
            int first = Integer.parseInt(words[1]);
            IntStream.range(first, first + Integer.parseInt(words[3]))
                    .forEach(worker ->
                            world.machine.onWorkerEnded(worker, PoolWorld.loss().at(Loss.Stage.INITIALIZING), nowNs));
        }
    }

    private static Stream<String> starts(PoolWorld world) {
        return world.lines.stream().filter(line -> line.startsWith("start "));
    }

    @Test
    void workersThatTheInitializerEndsAreFewAlsoWhileAnotherIsUp() {
        PoolWorld world = worldWithAnInitializerThatEndsTheOthers();

        assertThat(starts(world)).containsExactly("start 2 + 2", "start 4 + 2");
        assertThat(world.lines)
                .contains("FBR-407 The last 3 workers of pool 'p' ended in the pool's initializer; the last one, w:"
                        + " signal 9. It wrote no output.\nThe one running worker continues. The missing ones are not"
                        + " replaced until you call resize() or no worker is left. Correct the initializer.");
        assertThat(world.machine.registry.shortage().orElseThrow())
                .hasMessageStartingWith("FBR-407 The last 4 workers");
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
    }

    @Test
    void workersThatTheInitializerEndedAreStartedOnceMoreWhenThePoolIsResized() {
        PoolWorld world = worldWithAnInitializerThatEndsTheOthers();
        world.lines.clear();

        world.machine.onResize(2);
        world.machine.onCycleEnd(200 * LATER_NS);

        assertThat(world.lines).containsExactly("start 6 + 1");
        assertThat(world.machine.registry.shortage()).isEmpty();
    }

    @Test
    void initializerThatEndsAllWorkersEndsThePoolWhenTheLastOneIsLost() {
        PoolWorld world = worldWithAnInitializerThatEndsTheOthers();
        long nowNs = 10_000_000_000L;
        world.machine.onWorkerEnded(1, PoolWorld.loss(), nowNs);
        for (int i = 0; i < 10; i++) {
            nowNs += LATER_NS;
            world.machine.onCycleEnd(nowNs);
            failLastStarts(world, nowNs);
        }

        assertThat(starts(world)).containsExactly("start 2 + 2", "start 4 + 2", "start 6 + 3");
        assertThat(world.machine.cause().orElseThrow())
                .hasMessageStartingWith("FBR-403 Pool 'p' ended: 3 workers in a row");
    }

    /** Each has its last item, so that none takes another, and all work. */
    @Test
    void poolGoesOnWithTheWorkersThatFinishWhatTheyHave() {
        PoolWorld world = new PoolWorld(2, 1, 1).started();
        Call call = FixedCalls.ofRange(2, 1, 3);
        world.machine.onCall(call);
        world.machine.onCycleEnd(1);
        world.machine.onResize(5);
        world.machine.onCycleEnd(1);

        failToStart(world, 3, 5, SOON_NS);

        assertThat(world.machine.registry.ready).isZero();
        assertThat(world.lines).last().asString().endsWith("and waits longer each time.");
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
        world.answerAll(1, SOON_NS);
        world.answerAll(2, SOON_NS);
        assertThat(call.isEnded()).isTrue();
    }

    /** The one who worked is lost by what it ran, and others start in its place: the first that fails is one. */
    @Test
    void whatFailedBesideAWorkerThatIsLostCountsNoMore() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onResize(4);
        world.machine.onCycleEnd(1);
        failToStart(world, 2, 4, SOON_NS);
        world.machine.onWorkerEnded(1, PoolWorld.loss(), 2_000_000_000L);
        world.machine.onCycleEnd(3_000_000_000L);
        failToStart(world, 5, 6, 3_000_000_001L);
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);

        failToStart(world, 7, 8, 3_000_000_001L);

        assertThat(world.machine.state()).isEqualTo(PoolState.TERMINATING);
        assertThat(world.machine.cause().orElseThrow())
                .hasMessageStartingWith("FBR-403 Pool 'p' ended: 4 workers in a row");
    }

    @Test
    void workersThatComeUpAndEndAtOnceEndThePoolThoughAnotherIsUpMeanwhile() {
        PoolWorld world = new PoolWorld(2);
        world.machine.onStart();
        world.machine.onCycleEnd(0);
        int next = 1;
        for (long nowNs = 1;
                nowNs < 10_000_000_000L && world.machine.state() == PoolState.RUNNING;
                nowNs += 1_000_000_000L) {
            world.machine.onWorkerReady(next, nowNs);
            world.machine.onWorkerReady(next + 1, nowNs);
            world.machine.onWorkerEnded(next, PoolWorld.loss(), nowNs + 1);
            world.machine.onWorkerEnded(next + 1, PoolWorld.loss(), nowNs + 1);
            world.machine.onCycleEnd(nowNs + 900_000_000L);
            next += 2;
        }

        assertThat(world.machine.cause().orElseThrow()).hasMessageStartingWith("FBR-403 Pool 'p' ended: ");
    }

    @Test
    void rowEndsWhenAWorkerIsReady() {
        PoolWorld world = new PoolWorld(1).started();
        world.machine.onResize(4);
        world.machine.onCycleEnd(1);
        failToStart(world, 2, 4, SOON_NS);
        world.machine.onCycleEnd(LATER_NS);
        world.machine.onWorkerReady(5, LATER_NS);
        world.machine.onWorkerEnded(1, PoolWorld.loss(), 3_000_000_000L);
        world.machine.onWorkerEnded(5, PoolWorld.loss(), 3_000_000_000L);
        world.lines.clear();

        failToStart(world, 6, 7, 3_000_000_001L);

        assertThat(world.lines).isEmpty();
        assertThat(world.machine.state()).isEqualTo(PoolState.RUNNING);
    }

    /** Who is ended before he was given anything has come up, and nobody is started in his place. */
    @Test
    void poolThatIsTerminatedIsNotShortOfWorkers() {
        PoolWorld world = new PoolWorld(8).started();
        world.machine.onResize(12);
        world.machine.onCycleEnd(1);
        world.machine.onTerminate();
        world.lines.clear();

        failToStart(world, 9, 12, SOON_NS);
        IntStream.rangeClosed(1, 8).forEach(worker -> world.machine.onWorkerEnded(worker, PoolWorld.loss(), SOON_NS));
        world.machine.onCycleEnd(SOON_NS);

        assertThat(world.lines).containsExactly("terminated");
    }
}
