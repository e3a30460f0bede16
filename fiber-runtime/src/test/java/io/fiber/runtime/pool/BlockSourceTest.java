// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BlockSourceTest {

    private final AtomicInteger wakes = new AtomicInteger();
    private final BlockSource source = FixedBlocks.of(wakes::incrementAndGet);
    private final Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);

    private static SealedPayload bytes(int count) {
        return SealedPayload.open(Payload.of(new byte[count]));
    }

    private Chunk next(int atMost) {
        Chunk chunk = source.next(call, atMost, 0);
        assertThat(chunk).isNotNull();
        return chunk;
    }

    @Test
    void blocksAreBoundedInNumber() {
        for (int i = 0; i < 32; i++) {
            assertThat(FixedBlocks.offer(source, 1, SealedPayload.none())).isTrue();
        }
        assertThat(source.hasRoom()).isFalse();
        assertThat(FixedBlocks.offer(source, 1, SealedPayload.none())).isFalse();
        assertThat(source.known()).isEqualTo(32);
        assertThat(next(1).items().firstIndex()).isZero();
        assertThat(FixedBlocks.offer(source, 1, SealedPayload.none())).isTrue();
    }

    @Test
    void blocksAreBoundedInBytesButOneIsAlwaysTaken() {
        assertThat(FixedBlocks.offer(source, 1, bytes(20 << 20))).isTrue();
        assertThat(FixedBlocks.offer(source, 1, bytes(1))).isFalse();
        next(1);
        assertThat(FixedBlocks.offer(source, 1, bytes(15 << 20))).isTrue();
        assertThat(FixedBlocks.offer(source, 1, bytes(1 << 20))).isTrue();
        assertThat(FixedBlocks.offer(source, 1, bytes(1))).isFalse();
    }

    @Test
    void blocksWaitForRoomInTheBudgetUntilItemsAreAnswered() {
        SubmissionBudget budget = new SubmissionBudget(100 << 10);
        BlockSource counted = new BlockSource(wakes::incrementAndGet, budget);
        Call call = FixedCalls.of(FixedCalls.function(1), counted, 0, 3);
        assertThat(FixedBlocks.offer(counted, 2, bytes(60 << 10))).isTrue();
        assertThat(FixedBlocks.offer(counted, 1, bytes(60 << 10))).isFalse();
        counted.feederWaits(true);
        assertThat(counted.hasRoom()).isFalse();

        counted.next(call, 2, 0);
        counted.answered(1);
        assertThat(FixedBlocks.offer(counted, 1, bytes(60 << 10)))
                .as("one of two items is answered")
                .isFalse();
        wakes.set(0);
        counted.answered(1);
        assertThat(wakes.get()).isPositive();
        assertThat(counted.hasRoom()).isTrue();
        assertThat(FixedBlocks.offer(counted, 1, bytes(60 << 10))).isTrue();
    }

    @Test
    void callThatHoldsNothingIsFedThoughOthersHoldTheWholeBudget() {
        SubmissionBudget budget = new SubmissionBudget(100 << 10);
        assertThat(budget.tryTake(budget.units(1 << 20))).isTrue();
        BlockSource counted = new BlockSource(() -> {}, budget);
        Call call = FixedCalls.of(FixedCalls.function(1), counted, 0, 3);
        for (int i = 0; i < 3; i++) {
            assertThat(FixedBlocks.offer(counted, 1, bytes(10))).isTrue();
            assertThat(FixedBlocks.offer(counted, 1, bytes(10))).isFalse();
            counted.next(call, 1, 0);
            counted.answered(1);
        }
        assertThat(budget.hasRoom(1))
                .as("what was not counted is not given back")
                .isFalse();
    }

    @Test
    void callThatEndsGivesBackWhatItHolds() {
        SubmissionBudget budget = new SubmissionBudget(100 << 10);
        BlockSource counted = new BlockSource(() -> {}, budget);
        FixedBlocks.offer(counted, 3, bytes(40 << 10));
        FixedBlocks.offer(counted, 1, bytes(20 << 10));
        counted.answered(3);
        counted.close();
        counted.answered(1);
        assertThat(budget.hasRoom(budget.units(1 << 20))).isTrue();

        FixedBlocks.offer(counted, 1, bytes(20 << 10));
        assertThat(budget.hasRoom(budget.units(1 << 20)))
                .as("a feeder that comes too late")
                .isTrue();
        assertThat(budget.tryTake(budget.units(1 << 20) + 1)).isFalse();
    }

    @Test
    void blockIsCutToWhatIsWanted() {
        SealedPayload payload = bytes(10);
        FixedBlocks.offer(source, 5, payload);
        FixedBlocks.offer(source, 2, bytes(3));
        Chunk first = next(3);
        Chunk second = next(3);
        Chunk third = next(3);

        assertThat(first.items().firstIndex()).isZero();
        assertThat(first.items().count()).isEqualTo(3);
        assertThat(first.items().payload()).isSameAs(payload);
        assertThat(second.items().firstIndex()).isEqualTo(3);
        assertThat(second.items().count()).isEqualTo(2);
        assertThat(second.items().payload()).isSameAs(payload);
        assertThat(third.items().firstIndex()).isEqualTo(5);
        assertThat(third.items().count()).isEqualTo(2);
        assertThat(source.next(call, 3, 0)).isNull();
    }

    @Test
    void itemsThatAreKnownAreThoseNotTakenWhateverTheirBlocks() {
        FixedBlocks.offer(source, 5, bytes(10));
        FixedBlocks.offer(source, 2, bytes(3));
        assertThat(source.known()).isEqualTo(7);
        next(3);
        assertThat(source.known()).isEqualTo(4);
        next(3);
        next(3);
        assertThat(source.known()).isZero();
    }

    @Test
    void sourceIsExhaustedWhenItsLastBlockIsTaken() {
        FixedBlocks.offer(source, 2, SealedPayload.none());
        assertThat(source.isExhausted()).isFalse();
        source.end();
        assertThat(source.isExhausted()).isFalse();
        next(1);
        assertThat(source.isExhausted()).isFalse();
        next(1);
        assertThat(source.isExhausted()).isTrue();
    }

    @Test
    void feederIsWokenOnlyWhenItWaits() {
        FixedBlocks.offer(source, 1, SealedPayload.none());
        next(1);
        assertThat(wakes).hasValue(0);
        source.feederWaits(true);
        FixedBlocks.offer(source, 1, SealedPayload.none());
        next(1);
        assertThat(wakes).hasValue(1);
    }

    @Test
    void feederIsWokenForHalfOfTheRoomAndNotForEachBlock() {
        while (FixedBlocks.offer(source, 1, SealedPayload.none())) {
            // as many as there is room for
        }
        source.feederWaits(true);
        for (int i = 0; i < 15; i++) {
            next(1);
        }
        assertThat(wakes).hasValue(0);
        next(1);
        assertThat(wakes).hasValue(1);
    }

    @Test
    void closeWakesTheFeeder() {
        source.close();
        assertThat(source.isClosed()).isTrue();
        assertThat(wakes).hasValue(1);
    }

    @Test
    void adviceOfTheCallReachesTheFeederBeforeItFeeds() {
        BlockSource advised = FixedBlocks.of(() -> {});
        FixedCalls.of(FixedCalls.function(1), advised, 77, 3);
        assertThat(advised.suggestedItems()).isEqualTo(77);
        assertThat(source.suggestedItems()).isEqualTo(1);
    }

    @Test
    void feedingThreadNeverPassesTheBoundsAndLosesNothing() {
        int blocks = 100_000;
        ConsumerParking parking = new ConsumerParking("results");
        BlockSource bounded = FixedBlocks.of(parking::wake);
        Call taker = FixedCalls.of(FixedCalls.function(1), bounded, 0, 3);
        AtomicBoolean fed = new AtomicBoolean();
        Thread feeder = new Thread(() -> {
            for (int i = 0; i < blocks; i++) {
                while (!FixedBlocks.offer(bounded, 1 + i % 3, bytes(i % 7))) {
                    bounded.feederWaits(true);
                    parking.await(bounded::hasRoom);
                    bounded.feederWaits(false);
                }
            }
            bounded.end();
            fed.set(true);
        });
        feeder.setDaemon(true);
        feeder.start();
        long index = 0;
        while (!bounded.isExhausted()) {
            assertThat(bounded.known()).isLessThanOrEqualTo(32 * 3);
            Chunk chunk = bounded.next(taker, 2, 0);
            if (chunk != null) {
                assertThat(chunk.items().firstIndex()).isEqualTo(index);
                index += chunk.items().count();
            } else {
                Thread.onSpinWait();
            }
        }
        await().untilTrue(fed);
        assertThat(index).isEqualTo(blocks / 3 * 6L + 1);
    }
}
