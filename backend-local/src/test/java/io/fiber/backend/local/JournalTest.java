// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.ChangedCode;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberException;
import io.fiber.Pool;
import io.fiber.PoolClosedException;
import io.fiber.Progress;
import io.fiber.RemoteTaskException;
import io.fiber.Retry;
import io.fiber.TaskRunner;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with a journal, in a session and in the next one. Tasks note what they run. */
@Tag("slow")
class JournalTest {

    private static final int LARGE = 64 << 10;

    /** This number of large results does not fit into the memory of a stream whose consumer waits. */
    private static final int MANY = 1_000;

    @TempDir
    Path tmp;

    private Path journal;
    private String ran;

    @BeforeEach
    void nameFiles() {
        journal = tmp.resolve("sweep.journal");
        ran = tmp.resolve("ran").toString();
    }

    /** What a call returned, and what it needed. */
    private record Outcome<R>(R result, List<String> ran, long workersStarted) {}

    private <R> Outcome<R> run(Function<TaskRunner, R> call) {
        return run(LocalFiber.builder(), CallOptions.defaults().journal(journal), call);
    }

    private <R> Outcome<R> run(FiberBuilder session, CallOptions options, Function<TaskRunner, R> call) {
        int before = LocalFiber.notes(Path.of(ran)).size();
        try (Fiber fiber = session.open();
                Pool pool = fiber.pool(2)) {
            R result = call.apply(pool.with(options));
            List<String> notes = LocalFiber.notes(Path.of(ran));
            return new Outcome<>(
                    result,
                    notes.subList(before, notes.size()),
                    pool.statistics().workersStarted());
        }
    }

    private static String square(String notes, int x) {
        LocalFiber.note(notes, x);
        return "square " + x * x;
    }

    private static int add(String notes, int x) {
        LocalFiber.note(notes, x);
        return x;
    }

    /** Returns all results of a call, by one of the ways to make it. */
    private List<String> squares(TaskRunner runner, String way, int count) {
        String notes = ran;
        List<Integer> items = LocalFiber.numbers(count);
        return switch (way) {
            case "map" -> runner.map(x -> square(notes, x), items);
            case "range" -> runner.map(x -> square(notes, x), IntStream.range(0, count));
            case "mapAsync" -> {
                CompletableFuture<List<String>> future = runner.mapAsync(x -> square(notes, x), items);
                yield future.join();
            }
            case "imap" -> {
                try (Stream<String> results = runner.imap(x -> square(notes, x), items)) {
                    yield results.toList();
                }
            }
            case "imapUnordered" -> {
                try (Stream<String> results = runner.imapUnordered(x -> square(notes, x), items)) {
                    yield results.sorted().toList();
                }
            }
            case "apply" -> {
                List<String> results = new ArrayList<>();
                for (int x : items) {
                    String result = runner.apply(item -> square(notes, item), x);
                    results.add(result);
                }
                yield results;
            }
            case "applyAsync" -> {
                List<CompletableFuture<String>> futures = new ArrayList<>();
                for (int x : items) {
                    futures.add(runner.applyAsync(() -> square(notes, x)));
                }
                yield futures.stream().map(CompletableFuture::join).toList();
            }
            case "executor" -> throughExecutor(runner.asExecutorService(), notes, items);
            default -> throw new IllegalArgumentException(way);
        };
    }

    private static List<String> throughExecutor(ExecutorService executor, String notes, List<Integer> items) {
        List<Future<String>> futures = new ArrayList<>();
        for (int x : items) {
            futures.add(executor.submit((RemoteCallable<String>) () -> square(notes, x)));
        }
        return futures.stream()
                .map(future -> {
                    try {
                        return future.get();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"map", "range", "mapAsync", "imap", "imapUnordered", "apply", "applyAsync", "executor"})
    void secondRunTakesAllResultsAndStartsNoWorker(String way) {
        Outcome<List<String>> first = run(runner -> squares(runner, way, 50));
        Outcome<List<String>> second = run(runner -> squares(runner, way, 50));

        assertThat(first.ran()).hasSize(50);
        assertThat(second).isEqualTo(new Outcome<>(first.result(), List.of(), 0));
        assertThat(first.result()).hasSize(50).contains("square 2401");
    }

    @Test
    void resultsOverTheNetworkAreRecordedUnsealed() {
        Outcome<List<String>> first = run(
                LocalFiber.builder().set("aeron.media", "udp"),
                CallOptions.defaults().journal(journal),
                runner -> squares(runner, "map", 300));
        Outcome<List<String>> second = run(
                LocalFiber.builder().set("aeron.media", "udp"),
                CallOptions.defaults().journal(journal),
                runner -> squares(runner, "map", 300));
        Outcome<List<String>> third = run(
                LocalFiber.builder("socket"),
                CallOptions.defaults().journal(journal),
                runner -> squares(runner, "map", 300));

        assertThat(second).isEqualTo(new Outcome<>(first.result(), List.of(), 0));
        assertThat(third).isEqualTo(second);
    }

    @Test
    void mapReduceTakesRecordedResultsOfItsFunctionAlsoOfMap() {
        String notes = ran;
        Outcome<Integer> first =
                run(runner -> runner.mapReduce(x -> add(notes, x), LocalFiber.numbers(100), 1_000, Integer::sum));
        Outcome<Integer> second =
                run(runner -> runner.mapReduce(x -> add(notes, x), LocalFiber.numbers(100), 1_000, Integer::sum));

        assertThat(first.result()).isEqualTo(5_950);
        assertThat(first.ran()).hasSize(100);
        assertThat(second.result()).as("another lambda is another function").isEqualTo(5_950);
        assertThat(second.ran()).hasSize(100);

        Function<TaskRunner, Integer> sum =
                runner -> runner.mapReduce(x -> add(notes, x), LocalFiber.numbers(120), 1_000, Integer::sum);
        run(sum);
        assertThat(run(sum)).isEqualTo(new Outcome<>(8_140, List.of(), 0));
    }

    @Test
    void itemsThatWereAddedOrChangedRunAndTheOthersDoNot() {
        String notes = ran;
        List<Integer> items = new ArrayList<>(LocalFiber.numbers(40));
        Function<TaskRunner, List<String>> call = runner -> runner.map(x -> square(notes, x), items);
        run(call);

        items.addAll(List.of(100, 101));
        assertThat(run(call).ran()).containsExactlyInAnyOrder("100", "101");
        items.set(7, 700);
        items.set(20, 200);
        Outcome<List<String>> changed = run(call);
        assertThat(changed.ran()).containsExactlyInAnyOrder("700", "200");
        assertThat(changed.result().get(7)).isEqualTo("square 490000");
        items.set(7, 7);
        items.remove(41);
        Outcome<List<String>> back = run(call);
        assertThat(back.ran()).as("an older record of the place").isEmpty();
        assertThat(back.result()).hasSize(41).element(7).isEqualTo("square 49");
    }

    @Test
    void failedTasksRunAgainAndTheOthersDoNot() {
        String notes = ran;
        String works = tmp.resolve("works").toString();
        CallOptions options = CallOptions.defaults().journal(journal).chunkSize(5);
        Function<TaskRunner, List<String>> call = runner -> runner.map(
                x -> {
                    if (x % 9 == 8 && !Files.exists(Path.of(works))) {
                        throw new IllegalStateException("not " + x);
                    }
                    return square(notes, x);
                },
                LocalFiber.numbers(30));
        Function<TaskRunner, List<String>> throwing = runner -> {
            assertThatThrownBy(() -> call.apply(runner)).isInstanceOf(RemoteTaskException.class);
            return List.of();
        };
        List<String> before = run(LocalFiber.builder(), options, throwing).ran();
        LocalFiber.note(works, "yes");

        Outcome<List<String>> after = run(LocalFiber.builder(), options, call);

        assertThat(after.result())
                .isEqualTo(LocalFiber.numbers(30).stream()
                        .map(x -> "square " + x * x)
                        .toList());
        assertThat(after.ran()).contains("8", "17", "26").doesNotContainAnyElementsOf(List.of("0", "1", "2", "3", "4"));
        assertThat(before).contains("0", "1", "2", "3", "4");
        assertThat(run(LocalFiber.builder(), options.retry(Retry.times(2)), call)
                        .ran())
                .as("retries do not make another function")
                .isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // a null among arrays
    void largeResultsAndNullsComeBackWhole() {
        Function<TaskRunner, List<byte[]>> call = runner -> runner.map(
                size -> {
                    byte[] bytes = new byte[size];
                    Arrays.fill(bytes, (byte) size.intValue());
                    return size == 0 ? null : bytes;
                },
                List.of(0, 1, 300_000, 5 << 20, 65_536));
        List<byte[]> first = run(call).result();
        Outcome<List<byte[]>> second = run(call);

        assertThat(second.workersStarted()).isZero();
        assertThat(second.result()).hasSize(5).element(0).isNull();
        for (int i = 1; i < 5; i++) {
            assertThat(second.result().get(i)).isEqualTo(first.get(i));
        }
    }

    @Test
    void progressCountsTakenResultsAsDone() {
        String notes = ran;
        List<Progress> told = new ArrayList<>();
        CallOptions options = CallOptions.defaults().journal(journal).progress(told::add);
        for (int count : new int[] {30, 40}) {
            told.clear();
            run(LocalFiber.builder(), options, runner -> runner.map(x -> square(notes, x), LocalFiber.numbers(count)));
            assertThat(told.get(told.size() - 1).done()).isEqualTo(count);
        }
    }

    /** Results that are taken arrive at once, so only the consumer can slow the input down. */
    @Test
    void streamOverTakenResultsWaitsForItsConsumer() {
        Duration pause = Duration.ofMillis(700);
        AtomicInteger read = new AtomicInteger();
        BiFunction<TaskRunner, Boolean, Integer> call = (runner, waits) -> {
            Stream<Integer> items =
                    IntStream.range(0, MANY).peek(x -> read.incrementAndGet()).boxed();
            try (Stream<byte[]> results = runner.imap(x -> new byte[LARGE], items)) {
                Iterator<byte[]> each = results.iterator();
                int sum = each.next().length;
                if (waits) {
                    await().during(pause).atMost(LocalFiber.LIMIT).until(() -> read.get() < MANY);
                }
                while (each.hasNext()) {
                    sum += each.next().length;
                }
                return sum;
            }
        };
        assertThat(run(runner -> call.apply(runner, false)).result()).isEqualTo(MANY * LARGE);
        read.set(0);
        assertThat(run(runner -> call.apply(runner, true))).isEqualTo(new Outcome<>(MANY * LARGE, List.of(), 0));
        assertThat(read).hasValue(MANY);
    }

    @Test
    void secondSessionWithTheSameJournalIsRejected() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            TaskRunner durable = pool.with(CallOptions.defaults().journal(journal));
            assertThat(durable.map(x -> x, List.of(1))).containsExactly(1);
            assertThatThrownBy(() -> run(runner -> runner.map(x -> x, List.of(1))))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-580 The journal '" + journal + "'");
            assertThat(durable.map(x -> x, List.of(2))).containsExactly(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "reached, Sweep$Model::score, Sweep$Unit",
        "captured, Sweep$Model::value, Sweep$Unit",
        "wrapped, Sweep$Then, Sweep$Unit"
    })
    void rebuiltFunctionIsRejectedUntilItsResultsAreAccepted(String way, String function, String changed)
            throws Exception {
        RebuiltProgram program = new RebuiltProgram(tmp);
        assertThat(program.run(1, "REJECT", way)).isEqualTo("[1, 2, 3] ran 3");
        assertThat(program.run(1, "REJECT", way)).isEqualTo("[1, 2, 3] ran 0");
        assertThat(program.run(10, "REJECT", way))
                .startsWith("FBR-583 The journal '" + program.journal())
                .contains(" has results of " + function + ", and the code of that function has changed since: class "
                        + changed + ". ");
        assertThat(program.run(10, ChangedCode.ACCEPT.name(), way)).isEqualTo("[1, 2, 3] ran 0");
        assertThat(program.run(10, "REJECT", way)).isEqualTo("[1, 2, 3] ran 0");
    }

    @Test
    void itemsOfARebuiltClassRunAgain() throws Exception {
        RebuiltProgram program = new RebuiltProgram(tmp);
        assertThat(program.run(1, "ACCEPT", "items")).isEqualTo("[1, 2, 3] ran 3");
        assertThat(program.run(1, "ACCEPT", "items")).isEqualTo("[1, 2, 3] ran 0");
        assertThat(program.run(10, "ACCEPT", "items")).isEqualTo("[10, 20, 30] ran 3");
    }

    @Test
    void rangeUpToTheGreatestIntIsWhole() {
        Function<TaskRunner, List<Integer>> call =
                runner -> runner.map(x -> x, IntStream.rangeClosed(Integer.MAX_VALUE - 3, Integer.MAX_VALUE));
        assertThat(run(call).result()).hasSize(4).endsWith(Integer.MAX_VALUE);
        assertThat(run(call).result()).hasSize(4).endsWith(Integer.MAX_VALUE);
    }

    /** Recorded results fill all room while the consumer waits for the one result that is missing. */
    @Test
    void orderedStreamDoesNotWaitForItsFirstItemForEver() {
        String works = tmp.resolve("works").toString();
        RemoteFunction<Integer, byte[]> task = x -> {
            if (x == 0 && !Files.exists(Path.of(works))) {
                throw new IllegalStateException("not yet");
            }
            return new byte[1 << 20];
        };
        run(runner -> {
            int results = 0;
            try (Stream<byte[]> stream = runner.imapUnordered(task, LocalFiber.numbers(40))) {
                Iterator<byte[]> each = stream.iterator();
                for (int i = 0; i < 40; i++) {
                    try {
                        results += each.next().length >> 20;
                    } catch (RemoteTaskException e) {
                        assertThat(e).hasMessageContaining("not yet");
                    }
                }
            }
            assertThat(results).isEqualTo(39);
            return results;
        });
        LocalFiber.note(works, "yes");

        Outcome<Long> second = run(runner -> {
            try (Stream<byte[]> stream = runner.imap(task, LocalFiber.numbers(40))) {
                return stream.mapToLong(bytes -> bytes.length >> 20).sum();
            }
        });

        assertThat(second.result()).isEqualTo(40);
    }

    /** The next item of this input is known when the result before it is, and a chunk is never full. */
    @Test
    void inputThatWaitsForResultsIsServed() {
        CallOptions options = CallOptions.defaults().journal(journal).chunkSize(10);
        Function<TaskRunner, List<Integer>> call = runner -> {
            SynchronousQueue<Integer> next = new SynchronousQueue<>();
            List<Integer> results = new ArrayList<>();
            Stream<Integer> items = Stream.iterate(0, last -> last < 5, last -> {
                try {
                    return next.take();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (Stream<Integer> stream = runner.imap(x -> x + 1, items)) {
                for (Iterator<Integer> each = stream.iterator(); each.hasNext(); ) {
                    int result = each.next();
                    results.add(result);
                    next.put(result);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return results;
        };
        assertThat(run(LocalFiber.builder(), options, call).result()).containsExactly(1, 2, 3, 4, 5);
        assertThat(run(LocalFiber.builder(), options, call).result()).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void callOnAClosedPoolOpensNoJournal() {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(1);
        fiber.close();
        assertThatThrownBy(
                        () -> pool.with(CallOptions.defaults().journal(journal)).map(x -> x, List.of(1)))
                .isInstanceOf(PoolClosedException.class);
        assertThat(tmp.resolve("sweep.journal.lock")).doesNotExist();
    }
}
