// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.Progress;
import io.fiber.ProgressListener;
import io.fiber.RemoteTaskException;
import java.time.Duration;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listeners that hear how far calls have come, with real workers. */
@Tag("slow")
class ProgressTest {

    /** Hears slowly: what is told only after the call has returned is missed by the asserts. */
    private static ProgressListener slow(List<Progress> heard) {
        return news -> {
            try {
                LocalFiber.last(Duration.ofMillis(50));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            heard.add(news);
        };
    }

    private static void assertEndHeard(List<Progress> heard) {
        assertThat(heard).extracting(Progress::state).endsWith(Progress.State.ENDED);
    }

    @Test
    void endIsToldBeforeTheCallReturns() {
        List<Progress> heard = new CopyOnWriteArrayList<>();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().progress(slow(heard)))
                        .build()) {
            pool.map(i -> i, IntStream.range(0, 10));
            assertEndHeard(heard);
            heard.clear();

            assertThatThrownBy(() -> pool.map(ProgressTest::odd, List.of(2))).isInstanceOf(RemoteTaskException.class);
            assertEndHeard(heard);
            heard.clear();

            CompletableFuture<Boolean> told = pool.mapAsync(i -> i, IntStream.range(0, 10))
                    .thenApply(results -> heard.stream().anyMatch(news -> news.state() == Progress.State.ENDED));
            assertThat(told).succeedsWithin(LocalFiber.LIMIT).isEqualTo(true);
            heard.clear();

            assertThat(pool.imap(i -> i, IntStream.range(0, 10))).hasSize(10);
            assertEndHeard(heard);
            heard.clear();

            try (Stream<Integer> results = pool.imap(i -> i, IntStream.range(0, 100_000))) {
                assertThat(results.findFirst()).hasValue(0);
            }
            assertEndHeard(heard);
        }
    }

    @Test
    void listenersOfPoolAndCallHearOfTheirCalls() {
        List<Progress> ofPool = new CopyOnWriteArrayList<>();
        List<Progress> ofCall = new CopyOnWriteArrayList<>();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(2)
                        .name("seen")
                        .callOptions(CallOptions.defaults().progress(ofPool::add))
                        .build()) {
            pool.map(i -> i, IntStream.range(0, 1_000));
            assertEndHeard(ofPool);
            try (Stream<Integer> results = pool.with(CallOptions.defaults().progress(ofCall::add))
                    .imapUnordered(i -> i + 1, Stream.iterate(1, i -> i + 1).limit(3))) {
                assertThat(results).hasSize(3);
            }
            assertEndHeard(ofCall);
            pool.apply(() -> 1);
        }

        Progress last = ofPool.get(ofPool.size() - 1);
        assertThat(last.pool()).isEqualTo("seen");
        assertThat(last.done()).isEqualTo(1_000);
        assertThat(last.total()).hasValue(1_000);
        assertThat(ofPool).extracting(Progress::call).containsOnly(1L);
        Progress lastOfCall = ofCall.get(ofCall.size() - 1);
        assertThat(lastOfCall.done()).isEqualTo(3);
        assertThat(lastOfCall.total()).isEmpty();
        assertThat(lastOfCall.call()).isEqualTo(2);
    }

    @Test
    void failedTasksAreCounted() {
        List<Progress> heard = new CopyOnWriteArrayList<>();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().chunkSize(1).progress(heard::add))
                        .build()) {
            try (Stream<Integer> results = pool.imapUnordered(ProgressTest::odd, List.of(1, 2, 3, 5))) {
                Spliterator<Integer> each = results.spliterator();
                int failures = 0;
                boolean more = true;
                while (more) {
                    try {
                        more = each.tryAdvance(result -> {});
                    } catch (RemoteTaskException e) {
                        failures++;
                    }
                }
                assertThat(failures).isEqualTo(1);
            }
            assertEndHeard(heard);
        }
        Progress last = heard.get(heard.size() - 1);
        assertThat(last.done()).isEqualTo(3);
        assertThat(last.failed()).isEqualTo(1);
        assertThat(last.total()).hasValue(4);
    }

    private static int odd(int number) {
        if (number % 2 == 0) {
            throw new IllegalArgumentException("even");
        }
        return number;
    }
}
