// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Outcome;
import io.fiber.Pool;
import io.fiber.PoolClosedException;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import io.fiber.TaskTimeoutException;
import io.fiber.WorkerLostException;
import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Results that may fail, tasks without a result, and functions that a program's own threads call. */
class OutcomesTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    private static int unlucky(int item) {
        if (item % 150 == 99) {
            throw new IllegalStateException("item " + item);
        }
        return -item;
    }

    @Test
    void threeFailuresOfFourHundredCostThreeResults() {
        List<Outcome<Integer>> outcomes;
        try (Stream<Outcome<Integer>> stream =
                session.pool(2).outcomes(OutcomesTest::unlucky, IntStream.range(0, 400))) {
            outcomes = stream.toList();
        }

        assertThat(outcomes).hasSize(400);
        for (int i = 0; i < 400; i++) {
            Outcome<Integer> outcome = outcomes.get(i);
            assertThat(outcome.index()).isEqualTo(i);
            if (i % 150 == 99) {
                assertThat(outcome).isInstanceOf(Outcome.Failure.class);
                assertThatThrownBy(outcome::result)
                        .isInstanceOf(RemoteTaskException.class)
                        .hasMessageContaining("Task " + i + " of pool")
                        .hasMessageContaining("IllegalStateException: item " + i);
            } else {
                assertThat(outcome).isEqualTo(new Outcome.Success<>(i, -i));
            }
        }
    }

    @Test
    void outcomesSayWhyAWorkerWasLostAndWhichTaskWasOverdue() {
        CallOptions options = CallOptions.defaults()
                .maxReruns(0)
                .deadline(Duration.ofSeconds(10))
                .chunkSize(1);
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2);
                Stream<Outcome<Integer>> stream = pool.with(options)
                        .outcomes(
                                item -> {
                                    if (item == 1) {
                                        Runtime.getRuntime().halt(7);
                                    } else if (item == 2) {
                                        LocalFiber.last(LocalFiber.LIMIT);
                                    }
                                    return item;
                                },
                                List.of(0, 1, 2, 3))) {
            List<Outcome<Integer>> outcomes = stream.toList();

            assertThat(outcomes.get(0).result()).isZero();
            assertThat(causeOf(outcomes.get(1))).isInstanceOf(WorkerLostException.class);
            assertThat(causeOf(outcomes.get(2))).isInstanceOf(TaskTimeoutException.class);
            assertThat(outcomes.get(3).result()).isEqualTo(3);
        }
    }

    private static FiberException causeOf(Outcome<?> outcome) {
        return ((Outcome.Failure<?>) outcome).exception();
    }

    @Test
    void outcomesOfAnEndlessInputComeAsTheyAreAskedFor() {
        try (Stream<Outcome<Integer>> stream =
                session.pool(2).outcomes(OutcomesTest::unlucky, Stream.iterate(0, item -> item + 1))) {
            Iterator<Outcome<Integer>> outcomes = stream.iterator();
            for (int i = 0; i < 1_000; i++) {
                assertThat(outcomes.next().index()).isEqualTo(i);
            }
        }
    }

    @Test
    void failuresOfTheWholeCallAreThrown() {
        Iterable<Integer> broken = () -> List.of(1, 2).stream()
                .<Integer>map(item -> {
                    if (item == 2) {
                        throw new IllegalStateException("no second item");
                    }
                    return item;
                })
                .iterator();
        try (Stream<Outcome<Integer>> stream = session.pool(2).outcomes(OutcomesTest::unlucky, broken)) {
            Iterator<Outcome<Integer>> outcomes = stream.iterator();

            assertThat(outcomes.next()).isEqualTo(new Outcome.Success<>(0, -1));
            assertThatThrownBy(outcomes::hasNext)
                    .isInstanceOf(FiberException.class)
                    .hasMessageContaining("FBR-405 The items of a call could not be read")
                    .hasMessageContaining("no second item");
        }
    }

    @Test
    void actionsRunForEveryItem() {
        String notes = tmp.resolve("notes").toString();

        session.pool(2).forEach(item -> LocalFiber.note(notes, item), List.of("a", "b", "c"));

        assertThat(Path.of(notes)).content().hasLineCount(3).contains("a", "b", "c");
    }

    @Test
    void itemsOfActionsAreNotKept() {
        List<WeakReference<byte[]>> items = new ArrayList<>();
        Iterable<byte[]> made = () -> IntStream.range(0, 2_000)
                .mapToObj(i -> {
                    byte[] item = new byte[100_000];
                    items.add(new WeakReference<>(item));
                    return item;
                })
                .iterator();

        session.pool(2).forEach(item -> Arrays.fill(item, (byte) 1), made);

        System.gc();
        assertThat(items).hasSize(2_000);
        assertThat(items.stream().filter(item -> item.get() != null).count()).isLessThan(100);
    }

    /** A function and an action in one: each method runs it as its own kind. */
    private static final class Both implements RemoteFunction<Object, String>, RemoteConsumer<Object> {
        private static final long serialVersionUID = 1;

        private final String notes;

        Both(String notes) {
            this.notes = notes;
        }

        @Override
        public String apply(Object item) {
            return "applied";
        }

        @Override
        public void accept(Object item) {
            LocalFiber.note(notes, item);
        }
    }

    @Test
    void anActionThatIsAFunctionAsWellRunsAsAnAction() {
        String notes = tmp.resolve("notes").toString();

        session.pool(2).forEach(new Both(notes), List.of("a"));

        assertThat(Path.of(notes)).content().contains("a");
        assertThat(session.pool(2).map(new Both(notes), List.of("a"))).containsExactly("applied");
    }

    @Test
    void anActionThatThrowsFailsItsCall() {
        assertThatThrownBy(() -> session.pool(2).forEach(OutcomesTest::unlucky, List.of(1, 99, 2)))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("Task 1 of pool")
                .hasMessageContaining("item 99");
    }

    @Test
    void aTaskWithoutAResultRuns() {
        String notes = tmp.resolve("notes").toString();
        Pool pool = session.pool(2);

        pool.run(() -> LocalFiber.note(notes, "waited for"));
        assertThat(pool.runAsync(() -> LocalFiber.note(notes, "submitted")))
                .succeedsWithin(LocalFiber.LIMIT)
                .isNull();

        assertThat(Path.of(notes)).content().containsSubsequence("waited for", "submitted");
    }

    @Test
    void aTaskWithoutAResultMayThrowWhatItLikes() {
        Pool pool = session.pool(2);

        assertThatThrownBy(() -> pool.run(() -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(RemoteTaskException.class)
                .hasCauseExactlyInstanceOf(IOException.class);
        assertThat(pool.runAsync(() -> {
                    throw new IOException("disk full");
                }))
                .failsWithin(LocalFiber.LIMIT)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(RemoteTaskException.class);
    }

    @Test
    void threadsOfTheProgramCallARemoteFunction() {
        Function<Integer, Long> where = session.pool(2).remote(item -> LocalFiber.pid() + item);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Long>> pids = IntStream.range(0, 20)
                    .mapToObj(item -> CompletableFuture.supplyAsync(() -> where.apply(item) - item, threads))
                    .toList();

            assertThat(pids.stream().map(CompletableFuture::join)).doesNotContain(LocalFiber.pid());
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void threadsOfTheProgramGetFromARemoteSupplier() {
        Supplier<Long> where = session.pool(2).remoteSupplier(LocalFiber::pid);

        assertThat(CompletableFuture.supplyAsync(where))
                .succeedsWithin(LocalFiber.LIMIT)
                .isNotEqualTo(LocalFiber.pid());
    }

    @Test
    void aRemoteFunctionThrowsWhatItsTaskThrew() {
        Function<Integer, Integer> unlucky = session.pool(2).remote(OutcomesTest::unlucky);

        assertThat(unlucky.apply(1)).isEqualTo(-1);
        assertThatThrownBy(() -> unlucky.apply(99))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("item 99");
    }

    @Test
    void aFunctionThatCannotBeSentIsRefusedWhenItIsMade() {
        Pool pool = session.pool(2);
        AtomicInteger counter = new AtomicInteger();
        Thread captured = Thread.currentThread();

        assertThat(pool.<Integer, Integer>remote(item -> counter.addAndGet(item))
                        .apply(5))
                .isEqualTo(5);
        assertThatThrownBy(() -> pool.<Integer, String>remote(item -> captured.getName() + item))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("FBR-201 Cannot serialize the function of a call: java.lang.Thread is not");
    }

    @Test
    void aClosedPoolRunsNoRemoteFunction() {
        Function<Integer, Integer> unlucky;
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            unlucky = pool.remote(OutcomesTest::unlucky);
        }
        assertThatThrownBy(() -> unlucky.apply(1)).isInstanceOf(PoolClosedException.class);
    }
}
