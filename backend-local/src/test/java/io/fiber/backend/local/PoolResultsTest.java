// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.Retry;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What comes back of a call: every result, in its place. */
class PoolResultsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    record Point(String name, double x, double y) implements Serializable {}

    record Box<T extends Serializable>(T content) implements Serializable {}

    @Test
    void mapReturnsTheResultsInTheOrderOfTheItemsWhenTheyEndInAnother() {
        Pool pool = session.pool(2);
        List<Integer> squares = pool.with(CallOptions.defaults().chunkSize(1))
                .map(
                        x -> {
                            LocalFiber.last(Duration.ofMillis(x % 7 == 0 ? 20 : 0));
                            return x * x;
                        },
                        LocalFiber.numbers(200));

        assertThat(squares)
                .isEqualTo(LocalFiber.numbers(200).stream().map(x -> x * x).toList());
    }

    @Test
    void imapReturnsTheResultsInTheOrderOfTheItems() {
        Pool pool = session.pool(2);
        try (Stream<Integer> results = pool.with(CallOptions.defaults().chunkSize(3))
                .imap(
                        x -> {
                            LocalFiber.last(Duration.ofMillis(x % 10 == 0 ? 20 : 0));
                            return -x;
                        },
                        LocalFiber.numbers(300))) {
            assertThat(results)
                    .containsExactlyElementsOf(
                            LocalFiber.numbers(300).stream().map(x -> -x).toList());
        }
    }

    @Test
    void imapUnorderedReturnsEveryResultOnceAndTheQuickOnesFirst() {
        Pool pool = session.pool(2);
        pool.awaitReady();
        Path taken = tmp.resolve("taken");
        String name = taken.toString();
        List<Integer> arrived;
        try (Stream<Integer> results = pool.with(CallOptions.defaults().chunkSize(1))
                .imapUnordered(
                        x -> {
                            if (x == 0) {
                                LocalFiber.awaitNotes(Path.of(name), 1);
                            }
                            return x;
                        },
                        LocalFiber.numbers(50))) {
            arrived = results.peek(x -> LocalFiber.note(name, x)).toList();
        }

        assertThat(arrived).containsExactlyInAnyOrderElementsOf(LocalFiber.numbers(50));
        assertThat(arrived.get(0)).isNotZero();
    }

    @Test
    @SuppressWarnings("NullAway") // a callable's result may be null
    void nullItemsAndNullResultsTravel() {
        Pool pool = session.pool(2);
        List<String> items = Arrays.asList("a", null, "b", null);

        assertThat(pool.map(item -> item, items)).containsExactly("a", null, "b", null);
        assertThat(pool.map(item -> item == null, items)).containsExactly(false, true, false, true);
        try (Stream<String> results = pool.imap(item -> item, items)) {
            assertThat(results.toList()).containsExactly("a", null, "b", null);
        }
        Object nothing = pool.apply(() -> null);
        assertThat(nothing).isNull();
        assertThat(pool.applyAsync(() -> null)).succeedsWithin(LocalFiber.LIMIT).isNull();
    }

    @Test
    void oneItemAndNoItem() {
        Pool pool = session.pool(2);
        List<Integer> none = List.of();

        assertThat(pool.map(x -> x + 1, List.of(41))).containsExactly(42);
        assertThat(pool.map(x -> x + 1, none)).isEmpty();
        assertThat(pool.mapAsync(x -> x + 1, none))
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(List.of());
        try (Stream<Integer> results = pool.imap(x -> x + 1, none)) {
            assertThat(results.toList()).isEmpty();
        }
        try (Stream<Integer> results = pool.imapUnordered(x -> x + 1, List.of(1))) {
            assertThat(results.toList()).containsExactly(2);
        }
    }

    @Test
    void resultsAreCombinedInTheOrderOfTheItems() {
        Pool pool = session.pool(2);

        assertThat(pool.mapReduce(x -> 1L, IntStream.range(0, 100_000), 7L, Long::sum))
                .isEqualTo(100_007);
        assertThat(pool.mapReduce(x -> "," + x, LocalFiber.numbers(2_000), "numbers", String::concat))
                .isEqualTo("numbers,"
                        + LocalFiber.numbers(2_000).stream()
                                .map(String::valueOf)
                                .collect(joining(",")));
        assertThat(pool.mapReduce(x -> x, List.<Integer>of(), 7, Integer::sum)).isEqualTo(7);
        CallOptions counted =
                CallOptions.defaults().deadline(LocalFiber.LIMIT).maxReruns(0).retry(Retry.times(1));
        assertThat(pool.with(counted).mapReduce(x -> x, IntStream.range(0, 100), 0, Integer::sum))
                .isEqualTo(4_950);
    }

    @Test
    void mapOfNothingNeedsNoWorker() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.jvm-options", "-XX:NoSuchOption")
                        .open();
                Pool pool = fiber.pool(1)) {
            List<Integer> none = List.of();

            assertThat(pool.map(x -> x, none)).isEmpty();
        }
    }

    @Test
    void everyChunkSizeGivesTheSame() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .callOptions(CallOptions.defaults().chunkSize(1000))
                .start()) {
            List<Integer> expected =
                    LocalFiber.numbers(100).stream().map(x -> x + 1).toList();

            assertThat(pool.map(x -> x + 1, LocalFiber.numbers(100))).isEqualTo(expected);
            for (int size : new int[] {1, 7, 99, 100, 101, Integer.MAX_VALUE}) {
                assertThat(pool.with(CallOptions.defaults().chunkSize(size)).map(x -> x + 1, LocalFiber.numbers(100)))
                        .as("chunk size %d", size)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void recordsTravelWithWhatTheFunctionCaptured() {
        Pool pool = session.pool(2);
        double factor = 2.5;
        Map<String, Double> offsets = new TreeMap<>(Map.of("a", 1.0, "b", 2.0));
        List<Point> points = List.of(new Point("a", 1, 2), new Point("b", 3, 4));

        List<Point> moved = pool.map(
                point -> new Point(
                        point.name() + "'", point.x() * factor, point.y() + offsets.getOrDefault(point.name(), 0.0)),
                points);

        assertThat(moved).containsExactly(new Point("a'", 2.5, 3), new Point("b'", 7.5, 6));
    }

    @Test
    void nestedGenericsTravel() {
        Pool pool = session.pool(2);
        List<Map<String, List<Box<Integer>>>> items = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            items.add(new HashMap<>(Map.of("key", new ArrayList<>(List.of(new Box<>(i), new Box<>(-i))))));
        }

        List<Map<List<Box<Integer>>, String>> turned = pool.map(
                item -> {
                    Map<List<Box<Integer>>, String> result = new HashMap<>();
                    item.forEach((key, value) -> result.put(new ArrayList<>(value), key));
                    return result;
                },
                items);

        assertThat(turned).hasSize(20);
        assertThat(turned.get(7)).containsOnly(Map.entry(List.of(new Box<>(7), new Box<>(-7)), "key"));
    }

    @Test
    void callsThatRunTogetherDoNotMix() {
        Pool pool = session.pool(2);
        long before = pool.statistics().tasksDone();
        List<CompletableFuture<List<String>>> calls = new ArrayList<>();
        for (int call = 0; call < 20; call++) {
            String mark = "call-" + call + "-";
            calls.add(pool.mapAsync(x -> mark + x, LocalFiber.numbers(500)));
        }

        for (int call = 0; call < 20; call++) {
            String mark = "call-" + call + "-";
            assertThat(calls.get(call))
                    .succeedsWithin(LocalFiber.LIMIT)
                    .isEqualTo(
                            LocalFiber.numbers(500).stream().map(x -> mark + x).toList());
        }
        assertThat(pool.statistics().tasksDone() - before).isEqualTo(10_000);
        assertThat(pool.statistics().tasksFailed()).isZero();
    }

    @Test
    void applyAsyncGivesEachTaskItsOwnResult() {
        Pool pool = session.pool(2);
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            futures.add(pool.applyAsync(x -> x * 3, i));
        }

        for (int i = 0; i < 5_000; i++) {
            assertThat(futures.get(i)).succeedsWithin(LocalFiber.LIMIT).isEqualTo(i * 3);
        }
    }

    @Test
    void resultsCannotBeChanged() {
        Pool pool = session.pool(1);
        List<Integer> results = pool.map(x -> x, List.of(1, 2));

        assertThat(results).isUnmodifiable();
    }

    @Test
    void taskThatThrowsCountsAsFailedAndNotAsDone() {
        try (Pool pool = session.fiber().pool(1)) {
            CompletableFuture<List<Integer>> running =
                    pool.mapAsync(i -> Math.floorDiv(6, i - 3), IntStream.range(0, 4));

            assertThatThrownBy(running::join).hasMessageContaining("Task 3");
            await().atMost(LocalFiber.LIMIT)
                    .until(() -> pool.statistics().tasksDone() == 3
                            && pool.statistics().tasksFailed() == 1);
        }
    }
}
