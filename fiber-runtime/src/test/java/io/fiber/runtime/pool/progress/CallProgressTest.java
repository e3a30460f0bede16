// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import io.fiber.runtime.pool.scheduling.CallTitle;
import io.fiber.runtime.serialization.functions.FunctionName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class CallProgressTest {

    private final List<Progress> heard = new ArrayList<>();
    private final ArrayDeque<Runnable> submitted = new ArrayDeque<>();
    private long nowNs;

    private Executor threads = submitted::add;

    private CallProgress progress(ProgressListener listener) {
        return new CallProgress(
                new CallProgress.Audience(
                        Optional.of(listener), new Displays(false), task -> threads.execute(task), () -> nowNs),
                new CallTitle("p", 1, FunctionName.of("function"), CallTitle.Tasks.MANY),
                OptionalLong.of(100));
    }

    private void runSubmitted() {
        while (!submitted.isEmpty()) {
            submitted.remove().run();
        }
    }

    @Test
    void newsComeTenTimesInASecondAndAtTheEnd() {
        CallProgress progress = progress(heard::add);
        for (int i = 0; i < 100; i++) {
            progress.answered(1, i % 2);
            runSubmitted();
            nowNs += 10_000_000;
        }
        assertThat(heard).hasSize(10);

        progress.ended();
        runSubmitted();

        assertThat(heard).hasSize(11);
        assertThat(heard.get(10))
                .extracting(
                        Progress::pool,
                        Progress::call,
                        Progress::done,
                        Progress::failed,
                        Progress::total,
                        Progress::elapsed,
                        Progress::state)
                .containsExactly("p", 1L, 50L, 50L, OptionalLong.of(100), Duration.ofSeconds(1), Progress.State.ENDED);
        assertThat(heard).extracting(Progress::done).isSorted();
    }

    @Test
    void slowListenerHearsTheNewestAndIsNeverCalledTwiceAtATime() {
        CallProgress[] progress = new CallProgress[1];
        progress[0] = progress(news -> {
            heard.add(news);
            if (heard.size() == 1) {
                for (int i = 0; i < 5; i++) {
                    nowNs += 1_000_000_000;
                    progress[0].answered(1, 0);
                }
                progress[0].ended();
            }
        });
        progress[0].answered(1, 0);
        assertThat(submitted).hasSize(1);
        runSubmitted();

        assertThat(heard).extracting(Progress::done).containsExactly(1L, 6L);
        assertThat(heard).extracting(Progress::state).containsExactly(Progress.State.RUNNING, Progress.State.ENDED);
    }

    @Test
    void newsForWhichNoThreadCanBeStartedAreTheNextOnes() {
        CallProgress progress = progress(heard::add);
        threads = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        progress.answered(1, 0);
        threads = submitted::add;
        nowNs += 1_000_000_000;
        progress.answered(1, 0);
        runSubmitted();

        assertThat(heard).extracting(Progress::done).containsExactly(2L);
    }

    @Test
    void whoWaitsForTheEndWaitsUntilItWasTold() throws Exception {
        CallProgress progress = progress(heard::add);
        progress.answered(1, 0);
        progress.ended();
        long beganNs = System.nanoTime();
        CompletableFuture<Integer> returned = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            progress.awaitEndTold();
            returned.complete(heard.size());
        });
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING || returned.isDone());
        runSubmitted();
        boolean wasInTime = System.nanoTime() - beganNs < CallProgress.END_LIMIT_NS;

        // The wait has a limit, which a busy machine may reach before the end is told.
        assertThat(returned)
                .succeedsWithin(Duration.ofSeconds(30))
                .satisfies(told -> assertThat(told).isBetween(wasInTime ? 1 : 0, 1));
        assertThat(heard).extracting(Progress::state).containsExactly(Progress.State.ENDED);
    }

    @Test
    void nobodyWaitsForTheEndOfAShortCallWithoutAListener() {
        CallProgress progress = new CallProgress(
                new CallProgress.Audience(Optional.empty(), new Displays(false), submitted::add, () -> nowNs),
                new CallTitle("p", 1, FunctionName.of("function"), CallTitle.Tasks.MANY),
                OptionalLong.of(100));
        progress.answered(1, 0);
        progress.awaitEndTold();
        progress.ended();
        progress.awaitEndTold();

        assertThat(submitted).isEmpty();
    }

    @Test
    void listenerThatThrowsHearsNoMore() {
        CallProgress progress = progress(news -> {
            heard.add(news);
            throw new IllegalStateException("no screen");
        });
        progress.answered(1, 0);
        runSubmitted();
        progress.ended();
        runSubmitted();

        assertThat(heard).hasSize(1);
    }
}
