// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.SerializationException;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How items become blocks, and what becomes of a block whose next item is not there yet. */
class FeederTest {

    private static final long LOOK_NS = 1_000;

    private final BlockSource source = FixedBlocks.of(() -> {});
    private final Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);
    private final AtomicInteger starved = new AtomicInteger();
    private long nowNs;

    private Feeder feeder(Iterator<? extends Object> items) {
        return feeder(items, source, Seals.none());
    }

    private static Feeder feeder(Iterator<? extends Object> items, BlockSource source, Seals seals) {
        return new Feeder(items, source, codecs(), seals);
    }

    private static Codecs codecs() {
        return Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());
    }

    @Test
    void blockHasAsManyItemsAsWereSuggestedAndTheLastOneTheRest() {
        Feeder feeder = feeder(List.of(1, 2, 3, 4, 5).iterator());
        source.suggest(2);

        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FED);
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FED);
        assertThat(source.isExhausted()).isFalse();
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.ENDED);

        assertThat(List.of(next(), next(), next())).containsExactly(2, 2, 1);
        assertThat(source.isExhausted()).isTrue();
    }

    @Test
    void blockOfLargeItemsEndsBehind256Kib() {
        int itemBytes = 1 << 12;
        Feeder feeder = feeder(Stream.generate(() -> new byte[itemBytes]).iterator());
        source.suggest(1_000);

        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FED);

        assertThat(next()).isEqualTo((1 << 18) / itemBytes);
    }

    private int next() {
        return next(source, call);
    }

    private int next(BlockSource from, Call of) {
        nowNs += LOOK_NS;
        Chunk chunk = from.next(of, 100, nowNs);
        return chunk == null ? 0 : chunk.items().count();
    }

    @Test
    void whatIsInHandIsHandedOverWhileTheIteratorWaits() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger given = new AtomicInteger();
        Iterator<Integer> items = new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (given.get() == 3) {
                    waits.countDown();
                    await(goOn);
                }
                return given.get() < 5;
            }

            @Override
            public Integer next() {
                return given.incrementAndGet();
            }
        };
        Feeder feeder = feeder(items);
        source.suggest(100);
        Thread feeds = new Thread(feeder::feed);
        feeds.start();
        await(waits);

        assertThat(next()).isZero();
        feeder.flush();
        assertThat(next()).isEqualTo(3);
        goOn.countDown();
        feeds.join();

        assertThat(next()).isEqualTo(2);
        assertThat(source.isExhausted()).isTrue();
    }

    /** Another thread would have handed over what was in hand, and there was no room for it. */
    @Test
    void whatHadNoRoomIsHandedOverWithTheItemsThatFollow() {
        int blocks = 0;
        while (FixedBlocks.offer(source, 1, SealedPayload.none())) {
            blocks++;
        }
        int room = blocks;
        List<Feeder> feeders = new ArrayList<>();
        AtomicInteger given = new AtomicInteger();
        Iterator<Integer> items = new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (given.get() == 9) {
                    feeders.get(0).flush();
                    for (int i = 0; i < room; i++) {
                        assertThat(FeederTest.this.next()).isOne();
                    }
                }
                return given.get() < 14;
            }

            @Override
            public Integer next() {
                return given.incrementAndGet();
            }
        };
        source.suggest(100);
        Feeder feeder = feeder(items);
        feeders.add(feeder);

        assertThat(feeder.feed()).isEqualTo(Feeder.Step.ENDED);

        assertThat(List.of(next(), next())).containsExactly(14, 0);
        assertThat(source.isExhausted()).isTrue();
    }

    @Test
    void wholeBlockWithoutRoomIsKeptAsItIs() {
        int blocks = 0;
        while (FixedBlocks.offer(source, 1, SealedPayload.none())) {
            blocks++;
        }
        Feeder feeder = feeder(List.of(1, 2, 3).iterator());
        source.suggest(2);
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FULL);
        source.suggest(100);
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FULL);
        for (int i = 0; i < blocks; i++) {
            assertThat(next()).isOne();
        }

        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FED);
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.ENDED);
        assertThat(List.of(next(), next(), next())).containsExactly(2, 1, 0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void starvationIsToldOnceUntilThereIsABlockAgain() {
        source.whenStarved(starved::incrementAndGet);
        for (int i = 0; i < 1000; i++) {
            assertThat(next()).isZero();
        }
        assertThat(starved).hasValue(1);

        FixedBlocks.offer(source, 1, SealedPayload.none());
        next();
        for (int i = 0; i < 1000; i++) {
            next();
        }
        assertThat(starved).hasValue(2);
    }

    /** Its feeder may not come to hand it over: the iterator may wait for results of items before it. */
    @Test
    void whatHadNoRoomWhenTheReaderWaitedIsHandedOverWhenThereIsRoom() {
        SubmissionBudget budget = new SubmissionBudget(100 << 10);
        BlockSource counted = new BlockSource(() -> {}, budget);
        Call itsCall = FixedCalls.of(FixedCalls.function(1), counted, 0, 3);
        List<Feeder> feeders = new ArrayList<>();
        counted.whenStarved(() -> {
            starved.incrementAndGet();
            feeders.get(0).flush();
        });
        AtomicInteger given = new AtomicInteger();
        Iterator<Integer> items = new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (given.get() == 3) {
                    for (int i = 0; i < 1000; i++) {
                        assertThat(FeederTest.this.next(counted, itsCall)).isZero();
                    }
                    assertThat(starved).hasValue(1);
                    budget.giveBack(99);
                    assertThat(FeederTest.this.next(counted, itsCall)).isZero();
                    assertThat(starved).hasValue(2);
                    assertThat(FeederTest.this.next(counted, itsCall)).isEqualTo(2);
                }
                return given.get() < 3;
            }

            @Override
            public Integer next() {
                return given.incrementAndGet();
            }
        };
        Feeder feeder = feeder(items, counted, Seals.none());
        feeders.add(feeder);
        counted.suggest(1);
        assertThat(feeder.feed()).isEqualTo(Feeder.Step.FED);
        assertThat(next(counted, itsCall)).isOne();
        assertThat(budget.tryTake(99)).as("the rest, by other calls").isTrue();
        counted.suggest(100);

        assertThat(feeder.feed()).isEqualTo(Feeder.Step.ENDED);

        assertThat(counted.isExhausted()).isTrue();
    }

    /** Fast workers look often in a short time. */
    @Test
    void feederThatIsLateByTheTimeOfALookOrTwoIsNotStarvation() {
        source.whenStarved(starved::incrementAndGet);
        for (int i = 0; i < 100; i++) {
            for (int look = 0; look < 100; look++) {
                assertThat(next()).isZero();
            }
            FixedBlocks.offer(source, 1, SealedPayload.none());
            assertThat(next()).isOne();
        }

        assertThat(starved).hasValue(0);
    }

    @Test
    void itemThatCannotTravelLeavesNoTraceAmongThoseBeforeIt() {
        Feeder feeder = feeder(List.of(1, new Object(), 3).iterator());
        source.suggest(100);

        assertThatThrownBy(feeder::feed).isInstanceOf(SerializationException.class);
        assertThat(feeder.stop()).isEqualTo(Feeder.Step.ENDED);

        assertThat(next()).isOne();
        assertThat(source.isExhausted()).isTrue();
    }

    @Test
    void itemsThatWereSerializedAheadTravelAsTheyWereThen() throws Exception {
        List<int[]> cells = List.of(new int[] {1}, new int[] {2}, new int[1 << 21], new int[] {3});
        Feeder feeder = feeder(cells.iterator());
        source.suggest(100);

        feeder.readAhead();
        cells.forEach(cell -> cell[0] = 9);
        while (feeder.feed() != Feeder.Step.ENDED) {}

        List<Integer> sent = new ArrayList<>();
        for (Chunk chunk = source.next(call, 100, 1); chunk != null; chunk = source.next(call, 100, 1)) {
            PayloadInput in = chunk.items().payload().bytes().open();
            for (int i = 0; i < chunk.items().count(); i++) {
                sent.add(((int[]) Objects.requireNonNull(codecs().values().read(in)))[0]);
            }
        }
        // The third one is larger than what is serialized ahead, so it and those behind it are read in their turn.
        assertThat(sent).containsExactly(1, 2, 9, 9);
    }

    @Test
    void itemThatCannotTravelFailsInItsTurnThoughOthersWereSerializedAhead() {
        Feeder feeder = feeder(Arrays.asList(1, null, new Object(), 3).iterator());
        source.suggest(100);

        feeder.readAhead();

        assertThatThrownBy(feeder::feed)
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("argument 2 of a call");
        assertThat(feeder.stop()).isEqualTo(Feeder.Step.ENDED);
        assertThat(next()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"3, a whole block", "100, the rest at the end"})
    void ofABlockForWhichThereIsNoMemoryNothingIsFed(int suggested, String block) {
        Feeder feeder = feeder(List.of(1, 2, 3).iterator(), source, withoutMemoryOnce());
        source.suggest(suggested);

        assertThatThrownBy(feeder::feed).as(block).isInstanceOf(OutOfMemoryError.class);
        Feeder.Step step = feeder.stop();
        while (step == Feeder.Step.FED) {
            step = feeder.stop();
        }

        assertThat(step).isEqualTo(Feeder.Step.ENDED);
        assertThat(source.known()).isZero();
        assertThat(next()).isZero();
        assertThat(source.isExhausted()).isTrue();
    }

    /** Seals that have no memory for the first payload. */
    private static Seals withoutMemoryOnce() {
        return new Seals() {
            private boolean hasThrown;

            @Override
            public SealedPayload close(Payload payload) {
                if (!hasThrown) {
                    hasThrown = true;
                    throw new OutOfMemoryError("test");
                }
                return SealedPayload.open(payload);
            }

            @Override
            public Payload open(SealedPayload payload) {
                return payload.bytes();
            }
        };
    }

    @Test
    void sourceThatHasEndedIsNotStarved() {
        source.whenStarved(starved::incrementAndGet);
        source.end();
        for (int i = 0; i < 1000; i++) {
            next();
        }

        assertThat(starved).hasValue(0);
    }
}
