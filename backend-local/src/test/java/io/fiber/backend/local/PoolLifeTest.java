// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.ProcessLostException;
import io.fiber.WaitInterruptedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pools and sessions from their making to their end, called twice and in any state. */
@Tag("slow")
class PoolLifeTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    @Test
    void poolStartsItsWorkersWithTheFirstTask() {
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.poolBuilder(2).name("lazy").build()) {
            assertThat(pool.state()).isEqualTo(PoolState.RUNNING);
            assertThat(pool.name()).isEqualTo("lazy");
            assertThat(pool.workers()).isEqualTo(2);
            assertThat(pool.statistics().workersStarted()).isZero();
            assertThat(fiber.activeChildren()).isEmpty();

            pool.awaitReady();

            assertThat(pool.statistics().workersStarted()).isEqualTo(2);
            assertThat(fiber.activeChildren()).isEmpty();
            assertThat(pool.awaitReady(Duration.ofSeconds(1))).isTrue();
            assertThat(pool.awaitReady(ChronoUnit.FOREVER.getDuration())).isTrue();
        }
    }

    @Test
    void waitForWorkersEndsWhenTheTimeHasPassed() {
        Path gate = tmp.resolve("gate");
        String name = gate.toString();
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .initializer(() -> LocalFiber.awaitNotes(Path.of(name), 1))
                .build()) {
            assertThat(pool.awaitReady(Duration.ofMillis(1))).isFalse();
            assertThat(pool.awaitReady(Duration.ZERO)).isFalse();
            LocalFiber.note(name, "go");
            assertThat(pool.awaitReady(LocalFiber.LIMIT)).isTrue();
        }
    }

    @Test
    void closeWaitsForWhatWasSubmitted() {
        Pool pool = session.fiber().pool(2);
        List<CompletableFuture<Integer>> single = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            single.add(pool.applyAsync(
                    x -> {
                        LocalFiber.last(Duration.ofMillis(30));
                        return x;
                    },
                    i));
        }
        CompletableFuture<List<Integer>> many = pool.mapAsync(x -> x + 1, LocalFiber.numbers(5000));

        pool.close();

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        for (int i = 0; i < 20; i++) {
            assertThat(single.get(i)).succeedsWithin(LocalFiber.LIMIT).isEqualTo(i);
        }
        assertThat(many)
                .succeedsWithin(LocalFiber.LIMIT)
                .isEqualTo(IntStream.rangeClosed(1, 5000).boxed().toList());
        pool.close();
        pool.shutdownNow();
        pool.shutdown();
        assertThat(pool.awaitTermination(Duration.ZERO)).isTrue();
        assertThat(pool.statistics().workersLost()).isZero();
    }

    @Test
    void waitForTheWorkersOfAPoolThatHasEndedFailsAtOnce() {
        try (Fiber fiber = LocalFiber.open()) {
            Pool pool = fiber.pool(1);
            assertThat(pool.apply(() -> 3)).isEqualTo(3);
            pool.close();
            assertThatThrownBy(() -> pool.awaitReady(Duration.ofSeconds(20)))
                    .isInstanceOf(PoolClosedException.class)
                    .hasMessageContaining("is TERMINATED");
            assertThatThrownBy(pool::awaitReady).isInstanceOf(PoolClosedException.class);
        }
    }

    @Test
    void sessionCloseWaitsForItsPools() {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(2);
        CompletableFuture<Integer> future = pool.applyAsync(() -> {
            LocalFiber.last(Duration.ofMillis(500));
            return 3;
        });

        fiber.close();

        assertThat(future).succeedsWithin(LocalFiber.LIMIT).isEqualTo(3);
        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        fiber.close();
        fiber.shutdownNow();
        pool.close();
        pool.shutdownNow();
        assertThatThrownBy(() -> pool.apply(() -> 1)).isInstanceOf(PoolClosedException.class);
        assertThatThrownBy(() -> fiber.pool(1)).isInstanceOf(IllegalStateException.class);
        assertThat(pool.statistics().tasksDone()).isEqualTo(1);
    }

    @Test
    void poolThatWasNeverUsedCloses() {
        Pool pool = session.fiber().pool(2);
        pool.close();

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThat(pool.statistics().workersStarted()).isZero();
    }

    @Test
    void nothingIsTakenAfterShutdown() {
        String gate = tmp.resolve("gate").toString();
        try (Pool pool = session.fiber().pool(1)) {
            CompletableFuture<Integer> before = pool.applyAsync(() -> {
                LocalFiber.awaitNotes(Path.of(gate), 1);
                return 1;
            });

            pool.shutdown();

            assertThat(pool.state()).isEqualTo(PoolState.DRAINING);
            assertThatThrownBy(() -> pool.apply(() -> 1))
                    .isInstanceOf(PoolClosedException.class)
                    .hasMessageStartingWith("FBR-404 ")
                    .hasMessageContaining("DRAINING");
            assertThatThrownBy(() -> pool.applyAsync(() -> 1)).isInstanceOf(PoolClosedException.class);
            assertThatThrownBy(() -> pool.map(x -> x, List.of(1))).isInstanceOf(PoolClosedException.class);
            assertThatThrownBy(() -> pool.mapAsync(x -> x, List.of(1))).isInstanceOf(PoolClosedException.class);
            assertThatThrownBy(() -> pool.imap(x -> x, List.of(1))).isInstanceOf(PoolClosedException.class);
            assertThatThrownBy(pool::awaitReady).isInstanceOf(PoolClosedException.class);
            pool.shutdown();
            LocalFiber.note(gate, "go");
            assertThat(before).succeedsWithin(LocalFiber.LIMIT).isEqualTo(1);
            assertThat(pool.awaitTermination(LocalFiber.LIMIT)).isTrue();
            assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        }
    }

    @Test
    void terminateFailsWhatIsPendingAndEndsTheWorkers() {
        Pool pool = session.fiber().pool(2);
        Path pids = tmp.resolve("pids");
        String name = pids.toString();
        CompletableFuture<List<Integer>> many = pool.mapAsync(
                x -> {
                    LocalFiber.note(name, LocalFiber.pid());
                    LocalFiber.last(Duration.ofHours(1));
                    return x;
                },
                LocalFiber.numbers(100));
        LocalFiber.awaitNotes(pids, 2);
        CompletableFuture<Integer> one = pool.applyAsync(() -> 1);
        Stream<Integer> lazy = pool.imap(x -> x, Stream.iterate(0, x -> x + 1));

        pool.shutdownNow();

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThatThrownBy(many::join).isInstanceOf(CancellationException.class);
        assertThatThrownBy(one::join).isInstanceOf(CancellationException.class);
        assertThatThrownBy(lazy::count).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> pool.apply(() -> 1))
                .isInstanceOf(PoolClosedException.class)
                .hasMessageStartingWith("FBR-404 ");
        LocalFiber.notes(pids).forEach(pid -> LocalSession.assertGone(Long.parseLong(pid)));
        pool.shutdownNow();
        pool.close();
    }

    @Test
    void terminateEndsAWaitingCloseAndAWaitingMap() throws InterruptedException {
        Pool pool = session.fiber().pool(1);
        Path began = tmp.resolve("began");
        String name = began.toString();
        AtomicReference<Throwable> ofMap = new AtomicReference<>();
        Thread mapping = thread(
                ofMap,
                () -> pool.map(
                        x -> {
                            LocalFiber.note(name, x);
                            LocalFiber.last(Duration.ofHours(1));
                            return x;
                        },
                        List.of(1)));
        LocalFiber.awaitNotes(began, 1);
        AtomicReference<Throwable> ofClose = new AtomicReference<>();
        Thread closing = thread(ofClose, pool::close);
        await("the pool drains").atMost(LocalFiber.LIMIT).until(() -> pool.state() == PoolState.DRAINING);

        pool.shutdownNow();

        closing.join(LocalFiber.LIMIT.toMillis());
        mapping.join(LocalFiber.LIMIT.toMillis());
        assertThat(closing.isAlive()).isFalse();
        assertThat(mapping.isAlive()).isFalse();
        assertThat(ofClose).hasNullValue();
        assertThat(ofMap.get()).isInstanceOf(CancellationException.class);
    }

    @Test
    void terminateWhileWorkersStart() {
        Fiber fiber = session.fiber();
        Pool pool = fiber.poolBuilder(2).start();
        pool.shutdownNow();
        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);

        Pool another = fiber.poolBuilder(2).start();
        another.close();
        assertThat(another.state()).isEqualTo(PoolState.TERMINATED);
    }

    @Test
    void terminatedSessionFailsWhatIsPending() {
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(1);
        CompletableFuture<Integer> pending = pool.applyAsync(() -> {
            LocalFiber.last(Duration.ofHours(1));
            return 1;
        });

        fiber.shutdownNow();

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThat(pending).failsWithin(LocalFiber.LIMIT);
        fiber.close();
        assertThatThrownBy(() -> pool.apply(() -> 1)).isInstanceOf(PoolClosedException.class);
    }

    /** A fault of the I/O thread, here by an interrupt that nobody has a reason for, must not leave anybody waiting. */
    @Test
    void nobodyWaitsForASessionWhoseConductorHasStopped() {
        Set<Thread> others = conductors();
        Fiber fiber = LocalFiber.open();
        Pool pool = fiber.pool(1);
        Path pids = tmp.resolve("pids");
        String name = pids.toString();
        CompletableFuture<Integer> pending = pool.applyAsync(() -> {
            LocalFiber.note(name, LocalFiber.pid());
            LocalFiber.last(Duration.ofHours(1));
            return 1;
        });
        FiberProcess process = fiber.process(() -> LocalFiber.last(Duration.ofHours(1)));
        LocalFiber.awaitNotes(pids, 1);

        Set<Thread> own = conductors();
        own.removeAll(others);
        assertThat(own).hasSize(1).allSatisfy(Thread::interrupt);

        assertThat(pending)
                .failsWithin(LocalFiber.LIMIT)
                .withThrowableThat()
                .withMessageContaining("FBR-404 ")
                .withMessageContaining("the I/O thread of its session has stopped");
        assertThatThrownBy(process::join)
                .isInstanceOf(ProcessLostException.class)
                .hasMessageContaining("the I/O thread of its session has stopped");
        assertThatThrownBy(() -> pool.apply(() -> 1)).isInstanceOf(FiberException.class);
        pool.close();
        fiber.close();
        LocalSession.assertGone(Long.parseLong(LocalFiber.notes(pids).get(0)));
        LocalSession.assertGone(Long.parseLong(process.id().orElseThrow()));
    }

    private static Set<Thread> conductors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("fiber-conductor"))
                .collect(Collectors.toSet());
    }

    @Test
    void interruptedCallerStopsWaitingAndCancels() throws InterruptedException {
        Pool pool = session.pool(1);
        Path began = tmp.resolve("began");
        String name = began.toString();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = thread(
                thrown,
                () -> pool.apply(() -> {
                    LocalFiber.note(name, "began");
                    LocalFiber.last(Duration.ofHours(1));
                    return 1;
                }));
        LocalFiber.awaitNotes(began, 1);

        caller.interrupt();
        caller.join(LocalFiber.LIMIT.toMillis());

        assertThat(thrown.get()).isInstanceOf(WaitInterruptedException.class);
        assertThat(pool.<Integer>apply(() -> 5)).isEqualTo(5);
    }

    private static Thread thread(AtomicReference<Throwable> thrown, Runnable task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                thrown.set(e);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    @SuppressWarnings("try") // one session is closed before the other
    void sessionsLiveSideBySide() {
        try (Fiber first = LocalFiber.open();
                Fiber second = LocalFiber.open();
                Pool one = first.pool(1);
                Pool two = second.pool(1)) {
            CompletableFuture<List<Integer>> ofOne = one.mapAsync(x -> x + 1, LocalFiber.numbers(2000));
            CompletableFuture<List<Integer>> ofTwo = two.mapAsync(x -> x - 1, LocalFiber.numbers(2000));

            assertThat(ofOne)
                    .succeedsWithin(LocalFiber.LIMIT)
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                    .endsWith(2000);
            first.close();
            assertThat(ofTwo)
                    .succeedsWithin(LocalFiber.LIMIT)
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                    .endsWith(1998);
            assertThat(two.map(x -> x, List.of(1))).containsExactly(1);
        }
    }

    @Test
    void poolsOfOneSessionLiveSideBySide() {
        Fiber fiber = session.fiber();
        try (Pool one = fiber.poolBuilder(1).name("same name").build();
                Pool two = fiber.poolBuilder(1).name("same name").build()) {
            long pid = one.apply(LocalFiber::pid);
            assertThat(two.<Long>apply(LocalFiber::pid)).isNotEqualTo(pid);

            one.shutdownNow();

            assertThat(two.map(x -> x, List.of(1))).containsExactly(1);
        }
    }
}
