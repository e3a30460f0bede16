// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fiber.Retry;
import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import org.junit.jupiter.api.Test;

class ChunkPlannerTest {

    private static final int WORKERS = 8;

    private final ChunkPlanner planner = new ChunkPlanner();
    private final TaskFunction function = FixedCalls.function(1);

    private Call call(long items) {
        return FixedCalls.of(function, FixedCalls.ints(0, items), 0, 3);
    }

    private int items(Call call) {
        return planner.items(call, holding(), WORKERS);
    }

    private void grow(long taskNs, Call call) {
        for (int i = 0; i < 10; i++) {
            int items = items(call);
            function.measured(taskNs * items, items);
        }
    }

    private Chunk chunk(int count, long bytes) {
        SealedPayload payload = SealedPayload.open(Payload.of(new byte[(int) bytes]));
        return new Chunk(call(count), new Items(Form.ENCODED, 0, count, 0, payload, 0));
    }

    private TaskSlot holding(Chunk... chunks) {
        TaskSlot slot = new WorkerSlot(1, 1).slots.get(0);
        long id = 1;
        for (Chunk chunk : chunks) {
            chunk.assign(id++, slot, planner.expectedNs(chunk));
            slot.give(chunk, 0);
        }
        return slot;
    }

    @Test
    void firstChunkIsOneItem() {
        assertThat(items(call(1_000_000_000))).isEqualTo(1);
    }

    @Test
    void chunkSizeOfTheCallerIsKept() {
        function.measured(1_000_000_000, 1);
        assertThat(items(FixedCalls.of(function, FixedCalls.ints(0, 100_000), 77, 3)))
                .isEqualTo(77);
    }

    @Test
    void quickChunksOfTheCallersSizeTravelTogether() {
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 100_000), 7, 3);
        function.measured(10_000, 10);

        assertThat(items(call))
                .as("sixteen times what was measured, as chunks of seven")
                .isEqualTo(22 * 7);
        grow(1_000, call);
        assertThat(items(call)).as("0.3 ms").isEqualTo(42 * 7);
    }

    @Test
    void chunkThatMayNotTravelWithOthersDoesNot() {
        grow(100, call(1_000_000_000));

        assertThat(items(FixedCalls.of(function, FixedCalls.ints(0, 100_000), 1, 1)))
                .as("its items may begin once")
                .isEqualTo(1);
        Call.Limits limits = new Call.Limits(1, 3, 1_000_000, Retry.times(0));
        assertThat(items(FixedCalls.of(function, FixedCalls.ints(0, 100_000), limits)))
                .as("its items have a deadline")
                .isEqualTo(1);
    }

    @Test
    void chunksThatTravelledTogetherAndCameBackAreSpread() {
        grow(100, call(1_000_000_000));
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 0), 2, 3);

        assertThat(planner.share(block(call, 100, 400), holding(), 5)).isEqualTo(6);
        assertThat(planner.share(block(call, 5, 20), holding(), 5)).isEqualTo(2);
    }

    @Test
    void chunksGrowByAFactorOfSixteenAtMost() {
        Call call = call(1_000_000_000);
        function.measured(50, 1);
        assertThat(items(call)).isEqualTo(16);
        function.measured(16 * 50, 16);
        assertThat(items(call)).isEqualTo(256);
    }

    @Test
    void tasksOfAHundredNanosecondsTravelByTensOfThousands() {
        Call call = call(1_000_000_000);
        grow(100, call);
        assertThat(items(call)).isEqualTo(50_000);
    }

    @Test
    void tasksOfNoTimeHaveAGreatestChunk() {
        Call call = call(1_000_000_000);
        grow(0, call);
        assertThat(items(call)).isEqualTo(65_536);
    }

    @Test
    void tasksOfAMillisecondTravelByFive() {
        Call call = call(1_000_000);
        grow(1_000_000, call);
        assertThat(items(call)).isEqualTo(5);
    }

    @Test
    void tasksTravelByMoreWhereTheWayTakesMoreThanATwentiethOfFiveMilliseconds() {
        Call call = call(1_000_000);
        grow(1_000_000, call);

        assertThat(planner.items(call, atTheEndOfAWayOf(250_000), WORKERS)).isEqualTo(5);
        assertThat(planner.items(call, atTheEndOfAWayOf(1_000_000), WORKERS)).isEqualTo(20);
        assertThat(planner.items(call, atTheEndOfAWayOf(10_000_000), WORKERS))
                .as("50 ms at most")
                .isEqualTo(50);
    }

    @Test
    void tasksOfASecondTravelAlone() {
        Call call = call(1_000_000);
        grow(1_000_000_000, call);
        assertThat(items(call)).isEqualTo(1);
    }

    @Test
    void chunksShrinkTowardsTheEnd() {
        grow(50, call(1_000_000_000));
        Call call = call(240_000);
        int before = Integer.MAX_VALUE;
        int chunks = 0;
        while (!call.source.isExhausted()) {
            int items = items(call);
            assertThat(items).isLessThanOrEqualTo(before).isLessThanOrEqualTo(10_000);
            assertThat(call.source.next(call, items, 0)).isNotNull();
            before = items;
            chunks++;
        }
        assertThat(before).isEqualTo(2_000);
        assertThat(chunks).isLessThan(60);
    }

    @Test
    void chunksOfLongTasksShrinkToOne() {
        grow(100_000, call(1_000_000_000));

        assertThat(items(call(12))).isEqualTo(1);
    }

    @Test
    void chunksAreWorthTheirWayHoweverManyWorkersThereAre() {
        grow(100, call(1_000_000_000));

        int items = planner.items(call(1_000_000), holding(), 1_000);

        assertThat(items)
                .as("0.1 s of work in some 80 chunks of 15 microseconds")
                .isEqualTo(12_247);
    }

    @Test
    void callIsTriedByThirtyTwoChunksForTenMilliseconds() {
        Call call = call(1_000_000);
        hand(31, call);
        assertThat(planner.isTriedByEnough(call, 5)).isFalse();
        hand(1, call);
        assertThat(planner.isTriedByEnough(call, 5)).isTrue();
        assertThat(planner.isTriedByEnough(call, 10_000_005)).isFalse();
        function.measured(100, 1);
        assertThat(planner.isTriedByEnough(call, 10_000_004))
                .as("chunks may not grow yet")
                .isTrue();
        function.measured(3_125 * 100, 3_125);
        assertThat(planner.isTriedByEnough(call, 10_000_004)).isFalse();
    }

    @Test
    void longTasksNeedNoTrial() {
        Call call = call(1_000_000);
        hand(32, call);
        function.measured(1_000_000, 1);

        assertThat(planner.isTriedByEnough(call, 5)).isFalse();
    }

    @Test
    void chunkSizeOfTheCallerNeedsNoTrial() {
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 100_000), 77, 3);
        hand(100, call);

        assertThat(planner.isTriedByEnough(call, 5)).isFalse();
    }

    @Test
    void answerCountsByItsItemsAndAtLeastAFourth() {
        function.measured(1_000_000, 1);
        function.measured(99 * 100, 99);
        assertThat(function.taskNs()).isEqualTo((1_000_000 + 99 * 100) / 100.0, within(1e-6));
        function.measured(100, 1);
        assertThat(function.taskNs()).isEqualTo(0.75 * 10_099 + 0.25 * 100, within(1e-6));
    }

    private void hand(int count, Call call) {
        for (int i = 0; i < count; i++) {
            Chunk chunk = call.source.next(call, 1, 0);
            assertThat(chunk).isNotNull();
            call.give(requireNonNull(chunk), 5);
        }
    }

    /** It takes the way of the whole block, and is read behind all that stands in front of it. */
    @Test
    void partOfABlockIsWorthTheWayOfTheBlock() {
        function.measured(8_000 * 100, 100);
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 0), 0, 3);

        assertThat(planner.share(block(call, 1_000, 40_000), holding(), 5)).isEqualTo(150);
        assertThat(planner.share(block(call, 10, 400), holding(), 5)).isEqualTo(12);
    }

    @Test
    void longTasksOfABlockGoOneByOne() {
        function.measured(200_000_000, 1);
        Call call = FixedCalls.of(function, FixedCalls.ints(0, 0), 0, 3);

        assertThat(planner.share(block(call, 10, 40_000), holding(), 5)).isOne();
    }

    private static Chunk block(Call call, int items, int bytes) {
        return new Chunk(
                call, new Items(Form.ENCODED, 0, items, 0, SealedPayload.open(Payload.of(new byte[bytes])), 0));
    }

    @Test
    void idleWorkerHasRoomForAnything() {
        assertThat(planner.hasRoom(holding())).isTrue();
    }

    @Test
    void workerWithAnUnmeasuredChunkGetsNoSecond() {
        assertThat(planner.hasRoom(holding(chunk(1, 0)))).isFalse();
    }

    @Test
    void workerHoldsEightMillisecondsOfWork() {
        function.measured(1_000_000, 1);
        assertThat(planner.hasRoom(holding(chunk(1, 0)))).isTrue();
        assertThat(planner.hasRoom(holding(chunk(7, 0)))).isTrue();
        assertThat(planner.hasRoom(holding(chunk(7, 0), chunk(1, 0)))).isFalse();
    }

    /** Two answers tell how long the way is. */
    private TaskSlot atTheEndOfAWayOf(long roundTripNs) {
        TaskSlot slot = holding();
        for (int answer = 1; answer <= 2; answer++) {
            Chunk chunk = chunk(1, 0);
            chunk.assign(answer, slot, 0);
            slot.give(chunk, 0);
            slot.heard(chunk, 0, roundTripNs);
            slot.release(chunk);
        }
        return slot;
    }

    private void give(TaskSlot slot) {
        Chunk chunk = chunk(1, 0);
        chunk.assign(3, slot, planner.expectedNs(chunk));
        slot.give(chunk, 0);
    }

    @Test
    void secondChunkIsSentAheadWhereTheWayTakesMoreThanATwentiethOfTheFirst() {
        function.measured(10_000_000, 1);
        TaskSlot near = atTheEndOfAWayOf(500_000);
        TaskSlot far = atTheEndOfAWayOf(600_000);
        give(near);
        give(far);

        assertThat(planner.hasRoom(near)).isFalse();
        assertThat(planner.hasRoom(far)).isTrue();
        give(far);
        assertThat(planner.hasRoom(far)).isFalse();
    }

    @Test
    void chunkForAThreadThatHasNotAnsweredIsAsLongAsThatOfTheThreadBefore() {
        Call call = call(1_000_000_000);
        grow(1_000_000, call);
        assertThat(items(call)).isEqualTo(5);

        assertThat(planner.items(call, atTheEndOfAWayOf(1_000_000), WORKERS)).isEqualTo(20);
        assertThat(items(call)).isEqualTo(20);
        assertThat(planner.items(call, atTheEndOfAWayOf(100_000), WORKERS)).isEqualTo(5);
        assertThat(items(call)).isEqualTo(5);
    }

    @Test
    void noChunkWaitsBehindOneOfFiftyMillisecondsHoweverLongTheWay() {
        function.measured(50_000_000, 1);
        TaskSlot far = atTheEndOfAWayOf(20_000_000);
        give(far);

        assertThat(planner.hasRoom(far)).isFalse();
    }

    @Test
    void noChunkWaitsBehindOneOfUnknownLengthBecauseOfTheWay() {
        TaskSlot far = atTheEndOfAWayOf(1_000_000);
        give(far);

        assertThat(planner.hasRoom(far)).isFalse();
    }

    @Test
    void workerHoldsHalfAMebibyte() {
        function.measured(1, 1);
        assertThat(planner.hasRoom(holding(chunk(1, (512 << 10) - 1)))).isTrue();
        assertThat(planner.hasRoom(holding(chunk(1, 512 << 10)))).isFalse();
    }

    @Test
    void workerHoldsFiveHundredAndTwelveChunks() {
        function.measured(1, 1);
        Chunk[] chunks = new Chunk[512];
        java.util.Arrays.setAll(chunks, i -> chunk(1, 0));
        TaskSlot slot = holding(chunks);
        assertThat(planner.hasRoom(slot)).isFalse();
        slot.release(chunks[0]);
        assertThat(planner.hasRoom(slot)).isTrue();
    }

    @Test
    void releasedChunksLeaveNothingBehind() {
        function.measured(333, 1);
        Chunk first = chunk(3, 10);
        Chunk second = chunk(7, 20);
        TaskSlot slot = holding(first, second);
        slot.release(second);
        slot.release(first);
        assertThat(slot.heldNs).isZero();
        assertThat(slot.heldBytes).isZero();
        assertThat(slot.worker.itemsGiven).isEqualTo(10);
    }
}
