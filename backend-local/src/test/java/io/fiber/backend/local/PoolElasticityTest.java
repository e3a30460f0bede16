// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import io.fiber.TaskTimeoutException;
import io.fiber.WorkersMissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pools that change their size, and tasks that take too long, with real workers. */
@Tag("slow")
class PoolElasticityTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    /** Lasts until three workers run such tasks. */
    private static long pidWhenThreeRun(String file) {
        LocalFiber.note(file, LocalFiber.pid());
        await("three workers")
                .atMost(Duration.ofMinutes(2))
                .until(() -> new HashSet<>(LocalFiber.notes(Path.of(file))).size() >= 3);
        return LocalFiber.pid();
    }

    /** Takes no notice of interrupts. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static int deaf(int item) {
        while (item == 0) {
            Thread.yield();
        }
        return item;
    }

    @Test
    void whoWaitsForWorkersThatDoNotStartIsToldAndThePoolGoesOnWithTheOthers() {
        String place = tmp.resolve("taken").toString();
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .initializer(() -> Files.createFile(Path.of(place)))
                .start()) {
            assertThatThrownBy(pool::awaitReady)
                    .isInstanceOf(WorkersMissingException.class)
                    .hasMessageStartingWith("FBR-407 The last ")
                    .hasMessageContaining("FileAlreadyExistsException")
                    .hasMessageContaining("The one running worker continues");
            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThatThrownBy(pool::awaitReady)
                            .hasMessageStartingWith("FBR-407 The last 3 workers of pool ")
                            .hasMessageContaining("ended in the pool's initializer")
                            .hasMessageContaining("The missing ones are not replaced"));

            assertThat(pool.map(i -> i + 1, IntStream.range(0, 3))).containsExactly(1, 2, 3);
        }
    }

    @Test
    void resizedPoolHasAsManyWorkersAndLosesNothing() {
        try (Pool pool = session.fiber().poolBuilder(1).start()) {
            pool.awaitReady();
            pool.resize(3);
            assertThat(pool.workers()).isEqualTo(3);
            pool.awaitReady();
            String file = tmp.resolve("pids").toString();
            Set<Long> three = new HashSet<>(pool.with(CallOptions.defaults().chunkSize(1))
                    .map(i -> pidWhenThreeRun(file), IntStream.range(0, 12)));
            assertThat(three).hasSize(3);

            CompletableFuture<List<Integer>> running = pool.mapAsync(
                    i -> {
                        LocalFiber.last(Duration.ofMillis(20));
                        return i;
                    },
                    IntStream.range(0, 60));
            pool.resize(1);

            assertThat(running.join()).isEqualTo(LocalFiber.numbers(60));
            await().atMost(LocalFiber.LIMIT)
                    .until(() -> three.stream()
                                    .filter(pid -> ProcessHandle.of(pid)
                                            .map(ProcessHandle::isAlive)
                                            .orElse(false))
                                    .count()
                            == 1);
            assertThat(pool.statistics().workersLost()).isZero();
            assertThatThrownBy(() -> pool.resize(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void adaptivePoolFollowsItsQueue() {
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .adaptive(1, 3, Duration.ofMillis(500))
                .build()) {
            String file = tmp.resolve("pids").toString();
            Set<Long> pids = new HashSet<>(pool.with(CallOptions.defaults().chunkSize(1))
                    .map(i -> pidWhenThreeRun(file), IntStream.range(0, 30)));

            assertThat(pids).hasSize(3);
            await().atMost(LocalFiber.LIMIT).until(() -> pool.workers() == 1);
            assertThat(pool.apply(LocalFiber::pid)).isIn(pids);
        }
    }

    @Test
    void taskOverItsDeadlineIsInterruptedAndOthersAreNot() {
        Pool pool = session.pool(1);
        TaskRunner brief = pool.with(CallOptions.defaults().deadline(Duration.ofMillis(300)));
        TaskRunner patient = pool.with(CallOptions.defaults().deadline(LocalFiber.LIMIT));
        long pid = pool.apply(LocalFiber::pid);

        CompletableFuture<Integer> slow = brief.applyAsync(() -> {
            LocalFiber.last(LocalFiber.LIMIT);
            return 1;
        });
        CompletableFuture<Long> quick = patient.applyAsync(LocalFiber::pid);

        assertThatThrownBy(slow::join)
                .hasCauseInstanceOf(TaskTimeoutException.class)
                .hasMessageContaining("ran longer than its deadline and was interrupted.");
        assertThat(quick.join()).isEqualTo(pid);
    }

    @Test
    void workerOfATaskThatTakesNoNoticeIsReplacedAndNoOtherTaskFails() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.shutdown-grace", "300ms")
                        .open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            TaskRunner brief = pool.with(CallOptions.defaults().deadline(Duration.ofMillis(200)));
            TaskRunner patient = pool.with(CallOptions.defaults().deadline(LocalFiber.LIMIT));
            CompletableFuture<Integer> deaf = brief.applyAsync(() -> deaf(0));
            CompletableFuture<List<Integer>> others =
                    patient.mapAsync(PoolElasticityTest::deaf, IntStream.range(1, 50));

            assertThatThrownBy(deaf::join)
                    .hasCauseInstanceOf(TaskTimeoutException.class)
                    .hasMessageContaining("did not stop when it was interrupted, so its worker was ended.");
            assertThat(others.join()).hasSize(49);
            assertThat(pool.statistics().workersStarted()).isEqualTo(2);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    @Test
    void closeDoesNotWaitForACancelledTaskThatTakesNoNotice() {
        String file = tmp.resolve("begun").toString();
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.shutdown-grace", "300ms")
                        .open();
                Pool pool = fiber.pool(1)) {
            CompletableFuture<Integer> deaf = pool.applyAsync(() -> {
                LocalFiber.note(file, "begun");
                return deaf(0);
            });
            LocalFiber.awaitNotes(Path.of(file), 1);
            deaf.cancel(true);

            pool.shutdown();

            assertThat(pool.awaitTermination(LocalFiber.LIMIT)).isTrue();
            assertThatThrownBy(deaf::join).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void workBehindALongTaskIsDoneByOthers() {
        Pool pool = session.pool(2);
        pool.awaitReady();
        String done = tmp.resolve("done").toString();

        assertThat(pool.map(item -> lastOfAll(item, done, 200), IntStream.range(0, 200)))
                .isEqualTo(LocalFiber.numbers(200));
    }

    /** The first item waits until all others are done: those that were handed out behind it must be taken from it. */
    private static int lastOfAll(int item, String done, int items) throws InterruptedException {
        if (item == 0) {
            LocalFiber.awaitNotes(Path.of(done), items - 1);
        } else {
            LocalFiber.last(Duration.ofMillis(1));
            LocalFiber.note(done, item);
        }
        return item;
    }

    @Test
    void iteratorMayWaitForResultsOfEarlierItems() {
        Pool pool = session.pool(1);
        pool.map((Integer i) -> i, LocalFiber.numbers(5000));
        Semaphore answered = new Semaphore(3);
        Iterator<Integer> items = IntStream.range(0, 30)
                .peek(i -> answered.acquireUninterruptibly())
                .iterator();

        try (Stream<Integer> results = pool.imap(i -> i, () -> items)) {
            assertThat(results.peek(result -> answered.release())).hasSize(30);
        }
    }
}
