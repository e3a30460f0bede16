// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.FiberException;
import io.fiber.Retry;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.BrokenOnly;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.MachineInside;
import io.fiber.runtime.pool.scheduling.PoolWorld;
import io.fiber.runtime.pool.scheduling.SinkByKind;
import io.fiber.runtime.worker.CombinedFunction;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of a pool whose items or results end them, and what their options become. */
class CallEngineTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final WorkerlessPool pool = new WorkerlessPool().started();

    @AfterEach
    void closePool() {
        pool.close();
    }

    /** As code does that is not written in Java, or hides what it throws from the compiler. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUndeclared(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static Iterable<Integer> unreadable(Throwable thrown) {
        return () -> Stream.<Integer>generate(() -> {
                    CallEngineTest.<RuntimeException>throwUndeclared(thrown);
                    return 1;
                })
                .iterator();
    }

    @Test
    void callIsBrokenWhenThereWasNoMemoryToRefuseIt() {
        CompletableFuture<String> told = new CompletableFuture<>();
        AtomicInteger tries = new AtomicInteger();
        SinkByKind sink = new BrokenOnly(cause -> {
            if (tries.incrementAndGet() < 3) {
                throw new OutOfMemoryError("none left");
            }
            told.complete(cause.code());
        });
        Call call =
                new Call(FixedCalls.function(1), FixedCalls.ints(0, 1), new Call.Limits(1, 1, 0, Retry.times(0)), sink);
        pool.client.shutdownNow();

        pool.conductor.execute(() -> new CallHandle(pool.driver, pool.conductor, call).begin());

        assertThat(told).succeedsWithin(LIMIT).isEqualTo("FBR-404");
    }

    @Test
    void iteratorThatThrowsAnUndeclaredExceptionEndsItsCall() {
        IOException thrown = new IOException("disk");
        Iterable<Integer> items = unreadable(thrown);

        assertThatThrownBy(() -> pool.client.map(i -> i, items))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-405 The items of a call could not be read: java.io.IOException: disk")
                .hasCause(thrown);
        assertThat(pool.hasOpenCalls()).isFalse();

        assertThat(pool.client.mapAsync(i -> i, items))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .havingCause()
                .withMessageStartingWith("FBR-405 ");
        await().atMost(LIMIT).until(() -> !pool.hasOpenCalls());

        try (Stream<Integer> results = pool.client.imap(i -> i, items)) {
            assertThatThrownBy(results::toList)
                    .hasMessageStartingWith("FBR-405 ")
                    .hasCause(thrown);
        }
        assertThat(pool.hasOpenCalls()).isFalse();
    }

    /** A program may reuse its collection as soon as such a method has returned. */
    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the caller of the function has it
    void callsThatReadLaterHaveReadACollectionWhenTheyReturn() {
        for (Function<Collection<int[]>, ?> call : List.<Function<Collection<int[]>, ?>>of(
                items -> pool.client.mapAsync(cell -> cell[0], items),
                items -> pool.client.imap(cell -> cell[0], items),
                items -> pool.client.imapUnordered(cell -> cell[0], items))) {
            List<int[]> cells = List.of(new int[] {1}, new int[] {2}, new int[] {3});
            List<Integer> asked = new ArrayList<>();
            Thread caller = Thread.currentThread();
            Collection<int[]> items = new AbstractList<>() {
                @Override
                public int[] get(int index) {
                    if (Thread.currentThread() == caller) {
                        asked.add(index);
                    }
                    return cells.get(index);
                }

                @Override
                public int size() {
                    return cells.size();
                }
            };

            Object unused = call.apply(items);

            assertThat(asked).as("%s", unused).containsExactly(0, 1, 2);
        }
        pool.client.shutdownNow();
    }

    @Test
    void combineThatThrowsAnUndeclaredExceptionHereEndsItsCall() {
        IOException thrown = new IOException("disk");
        CombinedFunction<Integer, Integer> sum = new CombinedFunction<>(i -> i, (a, b) -> {
            CallEngineTest.<RuntimeException>throwUndeclared(new IOException("disk"));
            return a;
        });
        for (Inputs inputs : List.of(new Inputs.Range(FixedCalls.ints(0, 3)), Inputs.of(List.of(1, 2, 3)))) {
            CompletableFuture<Integer> result = new CompletableFuture<>();
            pool.blocking.execute(() -> {
                try {
                    result.complete(pool.client.engine.mapReduce(sum, inputs, 0, CallOptions.defaults()));
                } catch (Throwable e) {
                    result.completeExceptionally(e);
                }
            });
            await().atMost(LIMIT).until(pool::hasOpenCalls);
            pool.conductor.execute(() -> MachineInside.eachSink(pool.driver.machine, sink -> {
                sink.onAnswer(new Answer.Block(0, 1, EncodedResults.combined(1, 1)));
                sink.onAnswer(new Answer.Block(1, 1, EncodedResults.combined(1, 2)));
                sink.onAnswer(new Answer.Lost(2, 1, PoolWorld.loss()));
            }));

            assertThat(result)
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(IOException.class)
                    .withMessage(thrown.getMessage());
            await().atMost(LIMIT).until(() -> !pool.hasOpenCalls());
        }
    }

    @Test
    void cancelReachesTheWorkersThoughTheIteratorWaits() {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Iterator<Integer> items = Stream.generate(() -> {
                    waits.countDown();
                    awaitUninterruptibly(goOn);
                    return 1;
                })
                .iterator();
        CompletableFuture<List<Integer>> results = pool.client.mapAsync(i -> i, () -> items);
        awaitUninterruptibly(waits);

        results.cancel(true);

        assertThat(pool.hasOpenCalls()).isFalse();
        goOn.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void greatestNumberOfRerunsIsNoneTooMany() {
        assertThat(CallEngine.limits(CallOptions.defaults().maxReruns(0), Debugging.OFF)
                        .maxAttempts())
                .isEqualTo(1);
        assertThat(CallEngine.limits(CallOptions.defaults().maxReruns(2), Debugging.OFF)
                        .maxAttempts())
                .isEqualTo(3);
        assertThat(CallEngine.limits(CallOptions.defaults().maxReruns(Integer.MAX_VALUE), Debugging.OFF)
                        .maxAttempts())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void timesAreNoneTooLong() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        Call.Limits limits = CallEngine.limits(
                CallOptions.defaults().deadline(forever).retry(Retry.times(3).backOff(Duration.ofSeconds(1), forever)),
                Debugging.OFF);

        assertThat(limits.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(limits.retry().firstPause()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void taskAtABreakpointHasNoDeadline() {
        CallOptions options = CallOptions.defaults().deadline(Duration.ofSeconds(1));

        assertThat(CallEngine.limits(options, Debugging.OFF).deadlineNs()).isEqualTo(1_000_000_000);
        assertThat(CallEngine.limits(options, Debugging.ON).deadlineNs()).isZero();
        assertThat(CallEngine.limits(options, Debugging.SUSPENDED).deadlineNs()).isZero();
    }
}
