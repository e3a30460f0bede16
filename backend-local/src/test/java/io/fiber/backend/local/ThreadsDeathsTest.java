// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import io.fiber.TaskTimeoutException;
import io.fiber.WorkerLostException;
import io.fiber.tck.fault.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One of the tasks that a worker runs at a time ends the worker, or does not end: what becomes of the others. */
@Tag("slow")
class ThreadsDeathsTest {

    private static final int KILLER = 61;

    @TempDir
    Path tmp;

    private static Fiber open() {
        return LocalFiber.builder().set("fiber.shutdown-grace", "300ms").open();
    }

    /** On a busy machine a task that was interrupted may take long to end. */
    private static Fiber openPatiently() {
        return LocalFiber.builder().set("fiber.shutdown-grace", "30s").open();
    }

    private String file(String name) {
        return tmp.resolve(name).toString();
    }

    @Test
    void killerIsBegunThreeTimesAndNoNeighbourFails() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(2).threadsPerWorker(3).build()) {
            String file = file("begun");
            List<CompletableFuture<Integer>> futures = new ArrayList<>();
            for (int item : LocalFiber.numbers(120)) {
                futures.add(pool.applyAsync(number -> exitOr(number, file), item));
            }

            for (int item : LocalFiber.numbers(120)) {
                if (item == KILLER) {
                    assertThatThrownBy(futures.get(item)::join)
                            .hasCauseInstanceOf(WorkerLostException.class)
                            .hasMessageContaining("was started 3 times");
                } else {
                    assertThat(futures.get(item).join()).isEqualTo(item);
                }
            }
            assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
            assertThat(pool.statistics().workersLost()).isEqualTo(3);
        }
    }

    private static int exitOr(int item, String file) throws InterruptedException {
        if (item == KILLER) {
            LocalFiber.note(file, item);
            System.exit(3);
        }
        LocalFiber.last(Duration.ofMillis(20));
        return item;
    }

    /** Three killers, so that what runs beside them is lost more often than a task may be. */
    @Test
    void neighboursOfManyKillersAllReturn() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(2).threadsPerWorker(4).build()) {
            List<CompletableFuture<Integer>> killers = IntStream.range(0, 3)
                    .mapToObj(item -> pool.applyAsync(() -> {
                        Runtime.getRuntime().halt(4);
                        return 1;
                    }))
                    .toList();
            CompletableFuture<List<Integer>> others = pool.with(
                            CallOptions.defaults().chunkSize(1))
                    .mapAsync(ThreadsDeathsTest::lastLong, LocalFiber.numbers(16));

            assertThat(others.join()).isEqualTo(LocalFiber.numbers(16));
            assertThat(killers)
                    .allSatisfy(
                            killer -> assertThatThrownBy(killer::join).hasCauseInstanceOf(WorkerLostException.class));
        }
    }

    private static int lastLong(int item) throws InterruptedException {
        LocalFiber.last(Duration.ofMillis(200));
        return item;
    }

    @Test
    void withoutRetriesNoNeighbourOfAKillerIsBegunTwice() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(1)
                        .threadsPerWorker(3)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            String file = file("begun");
            List<CompletableFuture<Integer>> futures = LocalFiber.numbers(90).stream()
                    .map(item -> pool.applyAsync(
                            number -> {
                                LocalFiber.note(file, number);
                                return exitOr(number, file + "-killer");
                            },
                            item))
                    .toList();
            futures.forEach(future -> future.exceptionally(thrown -> -1).join());

            List<String> begun = LocalFiber.notes(Path.of(file));
            List<String> lost = LocalFiber.numbers(90).stream()
                    .filter(item -> futures.get(item).isCompletedExceptionally())
                    .map(String::valueOf)
                    .toList();
            assertThat(begun).doesNotHaveDuplicates();
            assertThat(lost).hasSizeBetween(1, 3).contains(String.valueOf(KILLER));
            // A neighbour that was allowed to begin counts as begun, also when its worker ended before its first line.
            assertThat(LocalFiber.numbers(90))
                    .map(String::valueOf)
                    .allMatch(item -> begun.contains(item) || lost.contains(item));
        }
    }

    @Test
    void killedWorkersLoseNothing() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(2).threadsPerWorker(3).start()) {
            pool.awaitReady();
            String file = file("pids");
            CompletableFuture<List<Integer>> results = pool.mapAsync(
                    (Integer item) -> {
                        LocalFiber.note(file, LocalFiber.pid());
                        LocalFiber.last(Duration.ofMillis(3));
                        return item * 2;
                    },
                    LocalFiber.numbers(900));
            for (int kills = 1; kills <= 2; kills++) {
                LocalFiber.awaitNotes(Path.of(file), 150 * kills);
                long pid = LocalFiber.awaitLivingPid(Path.of(file));
                Signal.KILL.send(pid);
                LocalSession.assertGone(pid);
            }

            assertThat(results.join())
                    .isEqualTo(LocalFiber.numbers(900).stream().map(x -> x * 2).toList());
        }
    }

    @Test
    void overdueTaskIsInterruptedOnItsOwnThread() {
        try (Fiber fiber = openPatiently();
                Pool pool = fiber.poolBuilder(1).threadsPerWorker(3).build()) {
            long pid = pool.apply(LocalFiber::pid);
            List<CompletableFuture<Long>> neighbours =
                    List.of(pool.applyAsync(() -> pidAfter(900)), pool.applyAsync(() -> pidAfter(900)));
            TaskRunner brief = pool.with(CallOptions.defaults().deadline(Duration.ofMillis(200)));

            assertThatThrownBy(() -> brief.apply(() -> pidAfter(30_000)))
                    .isInstanceOf(TaskTimeoutException.class)
                    .hasMessageContaining("ran longer than its deadline and was interrupted.");

            assertThat(neighbours)
                    .allSatisfy(future -> assertThat(future.join()).isEqualTo(pid));
            assertThat(pool.apply(LocalFiber::pid)).isEqualTo(pid);
        }
    }

    private static long pidAfter(long milliseconds) throws InterruptedException {
        LocalFiber.last(Duration.ofMillis(milliseconds));
        return LocalFiber.pid();
    }

    @Test
    void cancelInterruptsOneThread() {
        try (Fiber fiber = openPatiently();
                Pool pool = fiber.poolBuilder(1).threadsPerWorker(2).build()) {
            String file = file("begun");
            long pid = pool.apply(LocalFiber::pid);
            CompletableFuture<Long> cancelled = pool.applyAsync(() -> {
                LocalFiber.note(file, "begun");
                return pidAfter(30_000);
            });
            CompletableFuture<Long> neighbour = pool.applyAsync(() -> pidAfter(700));
            LocalFiber.awaitNotes(Path.of(file), 1);

            cancelled.cancel(true);

            assertThat(pool.applyAsync(LocalFiber::pid).join()).isEqualTo(pid);
            assertThat(neighbour.join()).isEqualTo(pid);
            assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
        }
    }

    /** With one retry a neighbour may be lost once; here its worker is ended twice, and it is to blame for neither. */
    @Test
    void neighboursOfATaskThatTakesNoNoticeRunAgainWithoutCountingAnAttempt() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(1)
                        .threadsPerWorker(2)
                        .callOptions(CallOptions.defaults().maxReruns(1))
                        .build()) {
            String file = file("begun");
            CompletableFuture<Long> neighbour = pool.applyAsync(() -> {
                LocalFiber.note(file, "begun");
                return pidAfter(LocalFiber.notes(Path.of(file)).size() <= 3 ? 30_000 : 1);
            });
            LocalFiber.awaitNotes(Path.of(file), 1);
            TaskRunner brief = pool.with(CallOptions.defaults().deadline(Duration.ofMillis(200)));

            for (int ended = 1; ended <= 3; ended++) {
                assertThatThrownBy(() -> brief.apply(ThreadsDeathsTest::deaf))
                        .isInstanceOf(TaskTimeoutException.class)
                        .hasMessageContaining("did not stop when it was interrupted, so its worker was ended.");
                LocalFiber.awaitNotes(Path.of(file), ended + 1);
            }

            assertThat(neighbour.join()).isPositive();
            assertThat(LocalFiber.notes(Path.of(file))).hasSize(4);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    private static int deaf() {
        long untilNs = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (System.nanoTime() < untilNs) {
            Thread.interrupted();
            LockSupport.parkNanos(1_000_000);
        }
        return 1;
    }

    @Test
    void withoutRetriesANeighbourOfATaskThatTakesNoNoticeIsNotBegunTwice() {
        try (Fiber fiber = open();
                Pool pool = fiber.poolBuilder(1)
                        .threadsPerWorker(2)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            String file = file("begun");
            CompletableFuture<Long> neighbour = pool.applyAsync(() -> {
                LocalFiber.note(file, "begun");
                return pidAfter(30_000);
            });
            LocalFiber.awaitNotes(Path.of(file), 1);
            TaskRunner brief = pool.with(CallOptions.defaults().deadline(Duration.ofMillis(200)));

            assertThatThrownBy(() -> brief.apply(ThreadsDeathsTest::deaf)).isInstanceOf(TaskTimeoutException.class);

            assertThatThrownBy(neighbour::join)
                    .hasCauseInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("was started once")
                    .hasMessageContaining("another of its tasks did not end when it was interrupted");
            assertThat(pool.apply(LocalFiber::pid)).isPositive();
            assertThat(LocalFiber.notes(Path.of(file))).hasSize(1);
        }
    }
}
