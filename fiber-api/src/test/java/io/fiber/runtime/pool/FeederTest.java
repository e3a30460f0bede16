// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.process.Codecs;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.serial.JavaSerializerProvider;
import io.fiber.runtime.serial.Side;
import io.fiber.spi.Options;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How items become blocks, and what becomes of a block whose next item is not there yet. */
class FeederTest {

    private final BlockSource source = new BlockSource(() -> {});
    private final Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);
    private final AtomicInteger starved = new AtomicInteger();

    private Feeder feeder(Iterator<Integer> items) {
        Codecs codecs = Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());
        return new Feeder(items, source, codecs, Seals.none());
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

    private int next() {
        Chunk chunk = source.next(call, 100);
        return chunk == null ? 0 : chunk.count();
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
        assertThat(feeder.flush()).isTrue();
        assertThat(next()).isEqualTo(3);
        goOn.countDown();
        feeds.join();

        assertThat(next()).isEqualTo(2);
        assertThat(source.isExhausted()).isTrue();
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

        source.offer(1, io.fiber.runtime.wire.Parcel.none());
        next();
        for (int i = 0; i < 1000; i++) {
            next();
        }
        assertThat(starved).hasValue(2);
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
