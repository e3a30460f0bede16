// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.Retry;
import io.fiber.runtime.protocol.SealedPayload;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Items that throw and are tried again, in virtual time. */
class RetriesTest {

    private static final Retry TWICE = retry(2, 1000, 1_000_000);
    private final PoolWorld world = new PoolWorld(2).started();
    private final Lines lines = new Lines();

    /** What a call hears. */
    private static final class Lines extends SinkByKind {
        private final List<String> heard = new ArrayList<>();

        @Override
        protected void onTries(long index, List<Answer.Block> failures) {
            heard.add(index + " failed before: " + failures.size());
        }

        @Override
        protected void onResults(long firstIndex, int count, SealedPayload results) {
            heard.add("results " + firstIndex + " + " + count);
        }

        @Override
        protected void onLost(long index, int attempts, Loss loss) {
            heard.add("lost " + index + " after " + attempts);
        }

        @Override
        protected void onOverdue(long index, String worker) {
            heard.add("overdue " + index);
        }

        @Override
        public void onEnd(long items) {
            heard.add("end of " + items);
        }

        @Override
        public void onBroken(FiberException cause) {
            heard.add("broken " + cause.code());
        }

        @Override
        public boolean hasRoom() {
            return true;
        }
    }

    private static Retry retry(int times, long firstNs, long greatestNs) {
        return Retry.times(times).backOff(Duration.ofNanos(firstNs), Duration.ofNanos(greatestNs));
    }

    private Call call(int items, Call.Limits limits) {
        Call call = new Call(FixedCalls.function(1), FixedCalls.ints(0, items), limits, lines);
        world.machine.onCall(call);
        return call;
    }

    private static Call.Limits limits(long deadlineNs, Retry retry) {
        return new Call.Limits(1, 3, deadlineNs, retry);
    }

    private Chunk last(int worker) {
        return world.at(worker).get(world.at(worker).size() - 1);
    }

    private void fail(int worker, long busyNs, long nowNs) {
        Chunk chunk = last(worker);
        world.machine.onResult(
                worker, new ResultHeader(chunk.id, chunk.attempt, 0, 1, 1, busyNs, true), SealedPayload.none(), nowNs);
    }

    @Test
    void itemThatThrowsRunsAgainAfterItsPauseAndKeepsItsPlace() {
        call(2, limits(0, TWICE));
        world.machine.onCycleEnd(0);
        fail(1, 10, 100);
        world.answerAll(2, 100);
        assertThat(world.machine.onCycleEnd(100 + 499)).isZero();
        assertThat(world.machine.onCycleEnd(100 + 1000)).isEqualTo(1);

        world.answerAll(1, 2000);
        world.answerAll(2, 2000);

        assertThat(lines.heard).containsExactly("results 1 + 1", "results 0 + 1", "end of 2");
        assertThat(world.machine.statistics().tasksRetried()).isEqualTo(1);
        assertThat(world.machine.statistics().tasksFailed()).isZero();
        assertThat(world.machine.statistics().tasksDone()).isEqualTo(2);
    }

    @Test
    void lastFailureIsTheAnswerAndBringsTheEarlierOnes() {
        world.machine.onWorkerEnded(2, PoolWorld.loss(), 0);
        call(1, limits(0, TWICE));
        for (long nowNs = 0; nowNs < 30_000; nowNs += 10_000) {
            assertThat(world.machine.onCycleEnd(nowNs)).isEqualTo(1);
            fail(1, 10, nowNs);
        }

        assertThat(lines.heard).containsExactly("0 failed before: 2", "results 0 + 1", "end of 1");
        assertThat(world.machine.statistics().tasksFailed()).isEqualTo(1);
        assertThat(world.machine.statistics().tasksRetried()).isEqualTo(2);
    }

    @Test
    void deadlineHoldsForAllTriesTogetherAndPausesDoNotCount() {
        Call call = call(1, limits(1_000, TWICE));
        world.machine.onCycleEnd(0);
        assertThat(call.deadlineNs(0)).isEqualTo(1_000);

        fail(1, 300, 400);
        assertThat(call.deadlineNs(0)).isEqualTo(700);
        world.machine.onCycleEnd(1_000_000);
        fail(2, 600, 1_000_700);
        assertThat(call.deadlineNs(0)).isEqualTo(100);
    }

    @Test
    void drainingPoolWaitsForItemsInTheirPause() {
        call(1, limits(0, TWICE));
        world.machine.onCycleEnd(0);
        fail(1, 10, 0);
        world.machine.onShutdown();
        world.machine.onCycleEnd(1);
        assertThat(world.lines).isEmpty();

        world.machine.onCycleEnd(1_000);
        world.answerAll(1, 1_000);
        world.answerAll(2, 1_000);
        world.machine.onCycleEnd(1_001);

        assertThat(lines.heard).containsExactly("results 0 + 1", "end of 1");
        assertThat(world.lines).contains("drain 1", "drain 2");
    }

    @Test
    void lostWorkerCountsAnAttemptAndNoTry() {
        call(1, limits(0, TWICE));
        world.machine.onCycleEnd(0);
        fail(1, 10, 0);
        world.machine.onCycleEnd(1_000);
        assertThat(world.at(2)).hasSize(1);
        world.machine.onWorkerEnded(2, PoolWorld.loss(), 2_000);
        world.machine.onCycleEnd(3_000);
        assertThat(last(1).announced).isTrue();
        world.machine.onBegun(1, last(1).id, last(1).attempt, 0);
        fail(1, 10, 4_000);
        world.machine.onCycleEnd(10_000);
        Chunk third = last(1);
        assertThat(third.announced).isTrue();
        fail(1, 10, 11_000);

        assertThat(lines.heard).containsExactly("0 failed before: 2", "results 0 + 1", "end of 1");
    }

    @Test
    void workerThatOffersSeveralItemsForARetryIsEnded() {
        call(4, new Call.Limits(4, 3, 0, TWICE));
        world.machine.onCycleEnd(0);
        Chunk chunk = last(1);
        world.machine.onResult(
                1, new ResultHeader(chunk.id, chunk.attempt, 0, 2, 1, 10, true), SealedPayload.none(), 0);

        assertThat(world.lines).containsExactly("kill 1");
    }

    @Test
    void callWhoseItemsAllFailTakesNoMoreThanSoManyAtATime() {
        call(1 << 20, new Call.Limits(1, 3, 0, retry(1, 1_000_000, 1_000_000)));
        for (int i = 0; i < 2 * Retries.GREATEST_COUNT_OF_CALL; i++) {
            world.machine.onCycleEnd(0);
            for (int worker = 1; worker <= 2; worker++) {
                if (!last(worker).isDone()) {
                    fail(worker, 1_000_000, 0);
                }
            }
        }
        assertThat(world.machine.retries.waiting())
                .isBetween(Retries.GREATEST_COUNT_OF_CALL, Retries.GREATEST_COUNT_OF_CALL + 1000);
    }

    @Test
    void pausesDoubleUpToTheirLimitAndAreShorterByAHalfAtMost() {
        Retry retry = retry(60, 100, 1_000);
        for (int index = 0; index < 100; index++) {
            assertThat(Retries.pauseNs(retry, index, 1)).isBetween(50L, 100L);
            assertThat(Retries.pauseNs(retry, index, 3)).isBetween(200L, 400L);
            assertThat(Retries.pauseNs(retry, index, 60))
                    .isBetween(500L, 1_000L)
                    .isEqualTo(Retries.pauseNs(retry, index, 60));
        }
        assertThat(LongStream.range(0, 100)
                        .map(index -> Retries.pauseNs(retry, index, 60))
                        .distinct()
                        .count())
                .isGreaterThan(50);
        assertThat(Retries.pauseNs(Retry.times(2), 1, 1)).isZero();
    }

    @Test
    void pausesWithoutALimitDoubleAndDoNotOverflow() {
        Retry retry = retry(1_000, 1_000_000_000, Long.MAX_VALUE);
        for (int failures = 1; failures <= 1_000; failures++) {
            assertThat(Retries.pauseNs(retry, 7, failures))
                    .isGreaterThanOrEqualTo(500_000_000L << Math.min(failures - 1, 30));
        }
    }

    @Test
    void pauseMayBeLongerThanAnyProgramRuns() {
        Retry forever = Retry.times(3).backOff(Duration.ofSeconds(1), ChronoUnit.FOREVER.getDuration());

        assertThat(Duration.ofNanos(Retries.pauseNs(forever, 1, 60))).isGreaterThan(Duration.ofDays(10_000));
    }
}
