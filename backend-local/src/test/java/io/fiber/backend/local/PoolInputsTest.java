// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Pool;
import io.fiber.PoolState;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every kind of input gives its items, each once, and no more than there is room for. */
@Tag("slow")
class PoolInputsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @Test
    void intRanges() {
        Pool pool = session.pool(2);
        assertThat(pool.map(x -> x * 2, IntStream.range(0, 10_000)))
                .isEqualTo(IntStream.range(0, 10_000).map(x -> x * 2).boxed().toList());
        assertThat(pool.map(x -> x, IntStream.rangeClosed(1, 5))).containsExactly(1, 2, 3, 4, 5);
        assertThat(pool.map(x -> x, IntStream.range(-3, 3))).containsExactly(-3, -2, -1, 0, 1, 2);
        assertThat(pool.map(x -> x, IntStream.range(3, 3))).isEmpty();
        assertThat(pool.map(x -> x, IntStream.range(3, 2))).isEmpty();
        assertThat(pool.map(x -> x, IntStream.empty())).isEmpty();
        assertThat(pool.map(x -> x, IntStream.rangeClosed(7, 7))).containsExactly(7);
        assertThat(pool.map(x -> x, IntStream.rangeClosed(Integer.MAX_VALUE - 2, Integer.MAX_VALUE)))
                .containsExactly(Integer.MAX_VALUE - 2, Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
        assertThat(pool.map(x -> x, IntStream.rangeClosed(Integer.MIN_VALUE, Integer.MIN_VALUE + 1)))
                .containsExactly(Integer.MIN_VALUE, Integer.MIN_VALUE + 1);
    }

    @Test
    void longRanges() {
        Pool pool = session.pool(2);
        assertThat(pool.map(x -> x, LongStream.range(5_000_000_000L, 5_000_000_004L)))
                .containsExactly(5_000_000_000L, 5_000_000_001L, 5_000_000_002L, 5_000_000_003L);
        assertThat(pool.map(x -> x, LongStream.rangeClosed(-2, 2))).containsExactly(-2L, -1L, 0L, 1L, 2L);
        assertThat(pool.map(x -> x, LongStream.range(1, 1))).isEmpty();
        assertThat(pool.map(x -> x, LongStream.rangeClosed(Long.MAX_VALUE - 1, Long.MAX_VALUE)))
                .containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE);
        try (Stream<Long> results = pool.imap(x -> x, LongStream.rangeClosed(Long.MIN_VALUE, Long.MAX_VALUE))) {
            assertThat(results.limit(3)).containsExactly(Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MIN_VALUE + 2);
        }
    }

    @Test
    void streamsOfNumbersThatAreNoRanges() {
        Pool pool = session.pool(2);
        assertThat(pool.map(x -> x, IntStream.of(9, 3, 3, 7))).containsExactly(9, 3, 3, 7);
        assertThat(pool.map(x -> x, IntStream.range(0, 10).filter(x -> x % 4 == 1)))
                .containsExactly(1, 5, 9);
        assertThat(pool.map(x -> x, LongStream.of(1L << 40, -1))).containsExactly(1L << 40, -1L);
        assertThat(pool.map(x -> x, IntStream.range(0, 1000).skip(990).map(x -> -x)))
                .isEqualTo(IntStream.range(990, 1000).map(x -> -x).boxed().toList());
    }

    private static byte[] filled(int value) {
        byte[] array = new byte[1_000_000];
        Arrays.fill(array, (byte) value);
        array[0]++;
        return array;
    }

    /** They travel without being copied where that is safe. */
    @Test
    void largeArraysArriveAsTheyWereWhoeverChangesTheirsAfterwards() throws Exception {
        Pool pool = session.pool(2);
        byte[] twice = filled(3);
        List<byte[]> arrays = List.of(filled(1), twice, filled(2), twice);
        List<byte[]> results = pool.map(
                array -> {
                    array[1]++;
                    return array;
                },
                arrays);
        assertThat(arrays).extracting(array -> array[1]).containsExactly((byte) 1, (byte) 3, (byte) 2, (byte) 3);
        assertThat(results).extracting(array -> array[1]).containsExactly((byte) 2, (byte) 4, (byte) 3, (byte) 4);
        results.get(1)[999_999] = 77;
        assertThat(results.get(3)[999_999]).isEqualTo((byte) 3);

        CompletableFuture<Integer> last = pool.applyAsync(array -> (int) array[999_999], twice);
        twice[999_999] = 55;
        assertThat(last.get(1, TimeUnit.MINUTES)).as("serialized before").isEqualTo(3);
    }

    @Test
    void collectionThatFillsTheSameArrayForEachItemGivesEach() {
        byte[] same = new byte[300_000];
        List<byte[]> items = new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                Arrays.fill(same, (byte) index);
                return same;
            }

            @Override
            public int size() {
                return 20;
            }
        };
        assertThat(session.pool(2).map(array -> array[0] + array[299_999], items))
                .isEqualTo(IntStream.range(0, 20).map(i -> 2 * i).boxed().toList());
    }

    @Test
    void everyMethodTakesRanges() {
        Pool pool = session.pool(2);
        List<Integer> expected = IntStream.range(0, 1000).boxed().toList();

        assertThat(pool.mapAsync(x -> x, IntStream.range(0, 1000)))
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(expected);
        try (Stream<Integer> results = pool.imap(x -> x, IntStream.range(0, 1000))) {
            assertThat(results.toList()).isEqualTo(expected);
        }
        try (Stream<Integer> results = pool.imapUnordered(x -> x, IntStream.range(0, 1000))) {
            assertThat(results.toList()).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(pool.mapAsync(x -> x, LongStream.range(0, 3)))
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(List.of(0L, 1L, 2L));
        try (Stream<Long> results = pool.imapUnordered(x -> x, LongStream.range(0, 3))) {
            assertThat(results.toList()).containsExactlyInAnyOrder(0L, 1L, 2L);
        }
    }

    @Test
    void iterablesIteratorsAndStreams() {
        Pool pool = session.pool(2);
        Set<String> words = new TreeSet<>(List.of("c", "a", "b"));

        assertThat(pool.map(String::toUpperCase, words)).containsExactly("A", "B", "C");
        assertThat(pool.map(String::toUpperCase, () -> words.iterator())).containsExactly("A", "B", "C");
        assertThat(pool.map(String::toUpperCase, words.stream())).containsExactly("A", "B", "C");
        assertThat(pool.map(String::toUpperCase, words.stream().parallel())).containsExactly("A", "B", "C");
        assertThat(pool.mapAsync(String::toUpperCase, () -> words.iterator()))
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(List.of("A", "B", "C"));
    }

    @Test
    void streamsAreClosedByTheCallThatUsesThemUp() {
        Pool pool = session.pool(1);
        AtomicBoolean mapped = new AtomicBoolean();
        AtomicBoolean ranged = new AtomicBoolean();
        AtomicBoolean async = new AtomicBoolean();
        AtomicBoolean lazy = new AtomicBoolean();

        List<Integer> results = pool.map(x -> x, Stream.of(1, 2).onClose(() -> mapped.set(true)));
        List<Integer> ints = pool.map(x -> x, IntStream.of(1, 2).onClose(() -> ranged.set(true)));
        assertThat(pool.mapAsync(x -> x, Stream.of(1, 2).onClose(() -> async.set(true))))
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(List.of(1, 2));
        try (Stream<Integer> endless =
                pool.imap(x -> x, Stream.iterate(0, x -> x + 1).onClose(() -> lazy.set(true)))) {
            assertThat(endless.limit(2)).containsExactly(0, 1);
        }

        assertThat(results).isEqualTo(ints);
        assertThat(mapped).as("a stream of a map").isTrue();
        assertThat(ranged).as("a stream of ints").isTrue();
        await("the stream of a mapAsync closed").atMost(LocalFiber.LIMIT).untilTrue(async);
        await("the stream of an imap closed").atMost(LocalFiber.LIMIT).untilTrue(lazy);
    }

    /** An endless input is read only as far as results are taken, and no further once the results are closed. */
    @Test
    void endlessInputIsReadOnlyAsResultsAreTaken() {
        Pool pool = session.pool(2);
        AtomicLong asked = new AtomicLong();
        AtomicBoolean closed = new AtomicBoolean();
        Stream<byte[]> endless = Stream.generate(() -> {
                    asked.incrementAndGet();
                    return new byte[64 << 10];
                })
                .onClose(() -> closed.set(true));

        try (Stream<byte[]> results = pool.imap(item -> item, endless)) {
            Iterator<byte[]> taken = results.iterator();
            for (int i = 0; i < 1000; i++) {
                assertThat(taken.next()).hasSize(64 << 10);
            }
            assertThat(asked.get()).isBetween(1000L, 4000L);
        }

        await("the input closed").atMost(LocalFiber.LIMIT).untilTrue(closed);
        List<Integer> after = pool.map(x -> x, List.of(1, 2, 3));
        assertThat(after).containsExactly(1, 2, 3);
        long atRest = asked.get();
        pool.map(x -> x, List.of(1, 2, 3));
        assertThat(asked.get()).isEqualTo(atRest);
    }

    /** Results that nobody takes hold the input back, for a range too. */
    @Test
    void untakenResultsHoldBackTheTasks() {
        Pool pool = session.pool(2);
        long before = pool.statistics().tasksDone();
        try (Stream<byte[]> results = pool.imap(x -> new byte[100 << 10], LongStream.range(0, Long.MAX_VALUE))) {
            Iterator<byte[]> taken = results.iterator();
            for (int i = 0; i < 1000; i++) {
                assertThat(taken.next()).hasSize(100 << 10);
            }
            assertThat(pool.statistics().tasksDone() - before).isLessThan(4_000);
        }
    }

    @Test
    void poolClosesThoughAnEndlessImapWasLeftUnclosed() {
        try (Pool pool = session.fiber().pool(2)) {
            assertThat(pool.imap(x -> x, Stream.iterate(0, x -> x + 1))
                            .limit(100)
                            .mapToInt(x -> x)
                            .sum())
                    .isEqualTo(4950);
        }
    }

    @Test
    void closingPoolWaitsForAStreamThatIsReadSlowly() throws Exception {
        Pool pool = session.fiber().pool(2);
        // Of items of 5 ms few are with workers, and eight of their results are all that may wait to be taken.
        Iterator<byte[]> results = pool.imap(
                        x -> {
                            LocalFiber.last(Duration.ofMillis(5));
                            return new byte[1 << 20];
                        },
                        IntStream.range(0, 150))
                .iterator();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(pool::close);
        await("a close that waits").atMost(LocalFiber.LIMIT).until(() -> pool.state() == PoolState.DRAINING);
        assertThat(closing).isNotDone();
        int count = 0;
        while (results.hasNext()) {
            assertThat(results.next()).hasSize(1 << 20);
            count++;
        }
        assertThat(count).isEqualTo(150);
        closing.get(30, TimeUnit.SECONDS);
    }

    @Test
    void closedStreamEndsAnEndlessImap() {
        Pool pool = session.pool(2);
        try (Stream<Integer> results = pool.imapUnordered(x -> x, Stream.iterate(0, x -> x + 1))) {
            assertThat(results.limit(100).distinct().count()).isEqualTo(100);
        }
        assertThat(pool.map(x -> x, List.of(5))).containsExactly(5);
    }
}
