// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import io.fiber.tck.fault.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers that die, stop or are used up: the results are complete, correct and in order. */
@Tag("slow")
class WorkerDeathsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    @Test
    void workerKilledInMidChunkLosesNothing() {
        try (Pool pool = session.fiber().pool(2)) {
            assertKilledInMidChunkLosesNothing(pool, tmp);
        }
    }

    /** Kills a worker that has begun a chunk of 50 and cannot end it before. */
    static void assertKilledInMidChunkLosesNothing(Pool pool, Path directory) {
        String pids = directory.resolve("pids").toString();
        String killed = directory.resolve("killed").toString();
        CompletableFuture<List<Integer>> results = pool.with(
                        CallOptions.defaults().chunkSize(50))
                .mapAsync(
                        item -> {
                            LocalFiber.note(pids, LocalFiber.pid());
                            if (item % 50 == 25) {
                                LocalFiber.awaitNotes(Path.of(killed), 1);
                            }
                            return item * 2;
                        },
                        LocalFiber.numbers(300));

        Signal.KILL.send(LocalFiber.awaitLivingPid(Path.of(pids)));
        LocalFiber.note(killed, "now");

        assertThat(results)
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(LocalFiber.numbers(300).stream().map(x -> x * 2).toList());
        assertThat(pool.statistics().workersLost()).isEqualTo(1);
        assertThat(pool.statistics().chunksRerun()).isPositive();
        assertThat(pool.statistics().tasksDone()).isEqualTo(300);
    }

    /** All results may be there before the loss of a worker is noticed. */
    private static void awaitLost(Pool pool, long count) {
        await("loss " + count)
                .atMost(LocalFiber.LIMIT)
                .until(() -> pool.statistics().workersLost() >= count);
    }

    /** Returns the live process that has noted itself last: the one before it may have been killed by this test. */
    private long lastPid() {
        return LocalFiber.awaitLivingPid(tmp.resolve("pids"));
    }

    private static RemoteFunction<Integer, Integer> noting(Path file, int milliseconds) {
        String name = file.toString();
        return item -> {
            LocalFiber.note(name, LocalFiber.pid());
            LocalFiber.last(Duration.ofMillis(milliseconds));
            return item * 2;
        };
    }

    @Test
    void whatALostWorkerHadCombinedCountsOnce() {
        String killed = tmp.resolve("killed").toString();
        try (Pool pool = session.fiber().pool(2)) {
            String numbers = pool.with(CallOptions.defaults().chunkSize(50))
                    .mapReduce(
                            item -> {
                                if (item % 100 == 42 && item < 300 && Files.notExists(Path.of(killed + item))) {
                                    Files.createFile(Path.of(killed + item));
                                    Runtime.getRuntime().halt(1);
                                }
                                return "," + item;
                            },
                            IntStream.range(0, 1_000),
                            "numbers",
                            String::concat);

            assertThat(numbers)
                    .isEqualTo(IntStream.range(0, 1_000)
                            .mapToObj(String::valueOf)
                            .collect(Collectors.joining(",", "numbers,", "")));
            assertThat(pool.statistics().workersLost()).isEqualTo(3);
            assertThat(pool.statistics().tasksDone()).isEqualTo(1_000);
        }
    }

    @Test
    void workersKilledAgainAndAgainLoseNothing() {
        try (Pool pool = session.fiber().pool(2)) {
            Path pids = tmp.resolve("pids");
            String killed = tmp.resolve("killed").toString();
            RemoteFunction<Integer, Integer> noting = noting(pids, 4);
            CompletableFuture<List<Integer>> results = pool.with(
                            CallOptions.defaults().maxReruns(10))
                    .mapAsync(
                            item -> {
                                int result = noting.apply(item);
                                // There is a worker to kill until all have been killed.
                                while (item == 999 && Files.notExists(Path.of(killed))) {
                                    LocalFiber.last(Duration.ofMillis(10));
                                }
                                return result;
                            },
                            LocalFiber.numbers(1000));

            for (int kill = 1; kill <= 5; kill++) {
                LocalFiber.awaitNotes(pids, kill * 60);
                Signal.KILL.send(lastPid());
                awaitLost(pool, kill);
            }
            LocalFiber.note(killed, "now");

            assertThat(results)
                    .succeedsWithin(LocalFiber.LIMIT)
                    .isEqualTo(LocalFiber.numbers(1000).stream().map(x -> x * 2).toList());
            assertThat(pool.statistics().workersLost()).isEqualTo(5);
        }
    }

    @Test
    void imapKeepsItsOrderWhenAWorkerIsKilled() {
        try (Pool pool = session.fiber().pool(2);
                Stream<Integer> results = pool.with(CallOptions.defaults().chunkSize(10))
                        .imap(noting(tmp.resolve("pids"), 2), Stream.iterate(0, x -> x + 1))) {
            Iterator<Integer> taken = results.iterator();
            for (int i = 0; i < 400; i++) {
                if (i == 100) {
                    Signal.KILL.send(lastPid());
                }
                assertThat(taken.next()).isEqualTo(i * 2);
            }
            awaitLost(pool, 1);
            assertThat(pool.statistics().workersLost()).isEqualTo(1);
        }
    }

    @Test
    void idleWorkerThatIsKilledIsReplaced() {
        try (Pool pool = session.fiber().pool(1)) {
            long first = pool.apply(LocalFiber::pid);
            Signal.KILL.send(first);

            long second = pool.apply(LocalFiber::pid);

            assertThat(second).isNotEqualTo(first);
            assertThat(Signal.isRunning(second)).isTrue();
        }
    }

    @Test
    void workerIsReplacedAfterItsTasks() {
        try (Pool pool = session.fiber().poolBuilder(2).maxTasksPerWorker(10).build()) {
            Map<Long, Long> tasks = pool.map(i -> LocalFiber.pid(), IntStream.range(0, 47)).stream()
                    .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

            assertThat(tasks.values().stream().mapToLong(count -> count).sum()).isEqualTo(47);
            assertThat(tasks).hasSizeGreaterThanOrEqualTo(5);
            assertThat(tasks.values()).allMatch(count -> count <= 10);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    @Test
    void workerOfOneTaskRunsOne() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .maxTasksPerWorker(1)
                .callOptions(CallOptions.defaults().chunkSize(4))
                .build()) {
            List<Long> pids = pool.map(x -> LocalFiber.pid(), LocalFiber.numbers(6));

            assertThat(pids).doesNotHaveDuplicates().hasSize(6);
        }
    }

    @Test
    void cancelInterruptsTheTaskAndKeepsTheWorker() {
        Pool pool = session.pool(1);
        Path began = tmp.resolve("began");
        String name = began.toString();
        long before = pool.apply(LocalFiber::pid);
        CompletableFuture<Integer> endless = pool.applyAsync(() -> {
            LocalFiber.note(name, "began");
            try {
                LocalFiber.last(Duration.ofHours(1));
            } catch (InterruptedException e) {
                LocalFiber.note(name, "interrupted");
            }
            return 1;
        });
        LocalFiber.awaitNotes(began, 1);

        assertThat(endless.cancel(true)).isTrue();

        assertThatThrownBy(endless::join).isInstanceOf(CancellationException.class);
        LocalFiber.awaitNotes(began, 2);
        assertThat(LocalFiber.notes(began)).containsExactly("began", "interrupted");
        assertThat(pool.<Long>apply(LocalFiber::pid)).isEqualTo(before);
        assertThat(pool.<Boolean>apply(() -> Thread.currentThread().isInterrupted()))
                .isFalse();
    }

    @Test
    void cancelWithoutInterruptLetsTheTaskEnd() {
        Pool pool = session.pool(1);
        Path notes = tmp.resolve("notes");
        String name = notes.toString();
        String cancelled = tmp.resolve("cancelled").toString();
        CompletableFuture<Integer> running = pool.applyAsync(() -> {
            LocalFiber.note(name, "began");
            LocalFiber.awaitNotes(Path.of(cancelled), 1);
            LocalFiber.note(name, "ended");
            return 1;
        });
        CompletableFuture<Integer> waiting = pool.applyAsync(() -> {
            LocalFiber.note(name, "never");
            return 1;
        });
        LocalFiber.awaitNotes(notes, 1);

        assertThat(waiting.cancel(false)).isTrue();
        assertThat(running.cancel(false)).isTrue();
        LocalFiber.note(cancelled, "both");

        assertThat(pool.<Integer>apply(() -> 7)).isEqualTo(7);
        assertThat(LocalFiber.notes(notes)).containsExactly("began", "ended");
    }

    @Test
    void cancelledMapLeavesTheRestUndone() {
        Pool pool = session.pool(2);
        Path begun = tmp.resolve("pids");
        CompletableFuture<List<Integer>> results = pool.mapAsync(noting(begun, 20), LocalFiber.numbers(10_000));
        LocalFiber.awaitNotes(begun, 10);

        results.cancel(true);

        assertThat(pids(pool)).as("workers that have done with it").hasSize(2);
        List<String> before = LocalFiber.notes(begun);
        assertThat(pids(pool)).hasSize(2);
        assertThat(LocalFiber.notes(begun)).isEqualTo(before).hasSizeLessThan(10_000);
    }

    /** A worker that is stopped is silent: when the lease has passed it is dead, and then it must not come back. */
    @Test
    void stoppedWorkerIsReplacedAfterTheLease() {
        // With a short lease a busy machine may end workers that do well.
        try (Fiber fiber = LocalFiber.builder()
                        .set("lease", "2s")
                        .set("max-reruns", "100")
                        .set("max-start-failures", "100")
                        .open();
                Pool pool = fiber.pool(2)) {
            Path pids = tmp.resolve("pids");
            CompletableFuture<List<Integer>> results =
                    pool.with(CallOptions.defaults().chunkSize(20)).mapAsync(noting(pids, 5), LocalFiber.numbers(200));
            LocalFiber.awaitNotes(pids, 10);
            long stopped = lastPid();

            Signal.STOP.send(stopped);

            assertThat(results)
                    .succeedsWithin(LocalFiber.LIMIT)
                    .isEqualTo(LocalFiber.numbers(200).stream().map(x -> x * 2).toList());
            awaitLost(pool, 1);
            LocalSession.assertGone(stopped);
        }
    }

    @Test
    void poolHasItsWorkersAgainAfterAllWereKilled() {
        try (Pool pool = session.fiber().poolBuilder(2).start()) {
            pool.awaitReady();
            Set<Long> first = pids(pool);
            first.forEach(pid -> Signal.KILL.send(pid));
            first.forEach(LocalSession::assertGone);

            Set<Long> second = pids(pool);

            assertThat(second).hasSize(2).doesNotContainAnyElementsOf(first);
        }
    }

    private static Set<Long> pids(Pool pool) {
        Set<Long> pids = new HashSet<>();
        List<Integer> items = new ArrayList<>(LocalFiber.numbers(2));
        await("both workers seen").atMost(LocalFiber.LIMIT).until(() -> {
            pids.addAll(pool.with(CallOptions.defaults().chunkSize(1))
                    .map(
                            x -> {
                                LocalFiber.last(Duration.ofMillis(100));
                                return LocalFiber.pid();
                            },
                            items));
            return pids.size() >= 2;
        });
        return pids;
    }
}
