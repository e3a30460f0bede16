// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.spec.Resources;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that run several tasks at a time, each on a thread of its own. */
@Tag("slow")
class ThreadsPerWorkerTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static final int THREADS = 4;

    private static final CyclicBarrier MEETING = new CyclicBarrier(THREADS);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private record Place(long pid, String thread, String process) implements Serializable {}

    private static Place meet(int item) throws InterruptedException, BrokenBarrierException, TimeoutException {
        MEETING.await(LocalFiber.LIMIT.toSeconds(), TimeUnit.SECONDS);
        return place(item);
    }

    private static Place place(int item) {
        return new Place(
                LocalFiber.pid(),
                Thread.currentThread().getName(),
                Fiber.current().currentProcess().name());
    }

    @Test
    void tasksOfOneWorkerRunAtTheSameTime() {
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.poolBuilder(1).threadsPerWorker(THREADS).build()) {
            List<Place> places = pool.map(ThreadsPerWorkerTest::meet, IntStream.range(0, 3 * THREADS));

            assertThat(places.stream().map(Place::pid).distinct()).hasSize(1);
            String worker = places.get(0).process();
            assertThat(places.stream().map(Place::thread).distinct())
                    .containsExactlyInAnyOrder(
                            worker + "-task-1", worker + "-task-2", worker + "-task-3", worker + "-task-4");
            assertThat(places.stream().map(Place::process).distinct())
                    .hasSize(1)
                    .doesNotContain("main");
        }
    }

    @Test
    void initializerRunsOnceForAllThreads() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .threadsPerWorker(THREADS)
                .initializer(ThreadsPerWorkerTest::count)
                .build()) {
            assertThat(pool.map(i -> COUNT.get(), IntStream.range(0, 500))).containsOnly(1);
        }
    }

    private static void count() {
        COUNT.incrementAndGet();
    }

    @Test
    void taskThatThrowsHurtsNobody() {
        try (Pool pool =
                session.fiber().poolBuilder(1).threadsPerWorker(THREADS).build()) {
            long pid = pool.apply(LocalFiber::pid);
            List<CompletableFuture<Long>> futures = IntStream.range(0, 400)
                    .mapToObj(item -> pool.applyAsync(ThreadsPerWorkerTest::refuseEighth, item))
                    .toList();

            for (int item = 0; item < futures.size(); item++) {
                if (item % 8 == 0) {
                    assertThatThrownBy(futures.get(item)::join)
                            .hasCauseInstanceOf(RemoteTaskException.class)
                            .hasRootCauseMessage("number " + item);
                } else {
                    assertThat(futures.get(item).join()).isEqualTo(pid);
                }
            }
            assertThat(pool.statistics().workersStarted()).isEqualTo(1);
        }
    }

    private static long refuseEighth(int item) {
        if (item % 8 == 0) {
            throw new IllegalStateException("number " + item);
        }
        return LocalFiber.pid();
    }

    @Test
    void resultsKeepTheOrderOfTheInput() {
        try (Pool pool = session.fiber().poolBuilder(2).threadsPerWorker(3).build()) {
            assertThat(pool.map(i -> i, IntStream.range(0, 200_000)))
                    .isEqualTo(IntStream.range(0, 200_000).boxed().toList());
        }
    }

    @Test
    void workerIsReplacedWhenItsThreadsHaveRunAllThatTheyMay() {
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .threadsPerWorker(3)
                .maxTasksPerWorker(20)
                .build()) {
            Map<Long, Long> tasksByProcess = pool.map(ThreadsPerWorkerTest::place, IntStream.range(0, 50)).stream()
                    .collect(Collectors.groupingBy(Place::pid, Collectors.counting()));

            assertThat(tasksByProcess.values()).hasSizeGreaterThanOrEqualTo(3).allMatch(tasks -> tasks <= 20);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    /** One item waits until all others are done: those that were handed out behind it must be taken from its thread. */
    @Test
    void workBehindALongTaskIsDoneByItsNeighbours() {
        try (Pool pool = session.fiber().poolBuilder(1).threadsPerWorker(2).build()) {
            pool.map(i -> i, IntStream.range(0, 1000));

            assertThat(pool.map(ThreadsPerWorkerTest::lastOfAll, IntStream.range(0, 20_000)))
                    .hasSize(20_000);
        }
    }

    private static int lastOfAll(int item) throws InterruptedException {
        if (item == 50) {
            while (COUNT.get() < 19_999) {
                LocalFiber.last(Duration.ofMillis(1));
            }
        }
        return COUNT.incrementAndGet();
    }

    @Test
    void eachThreadUsesQueuesAsIfItWereAlone() throws InterruptedException {
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.poolBuilder(1).threadsPerWorker(THREADS).build()) {
            FiberQueue<Integer> there = fiber.queue();
            FiberQueue<Integer> back = fiber.queue();
            List<CompletableFuture<Integer>> tasks = IntStream.range(0, THREADS)
                    .mapToObj(i -> pool.applyAsync(() -> carry(there, back)))
                    .toList();
            for (int i = 0; i < 400; i++) {
                there.put(i);
            }

            HashSet<Integer> carried = new HashSet<>();
            for (int i = 0; i < 400; i++) {
                carried.add(back.take());
            }
            for (int i = 0; i < THREADS; i++) {
                there.put(-1);
            }

            assertThat(carried).hasSize(400);
            assertThat(tasks.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(400);
        }
    }

    private static int carry(FiberQueue<Integer> from, FiberQueue<Integer> to) throws InterruptedException {
        int carried = 0;
        for (int item = from.take(); item >= 0; item = from.take()) {
            to.put(item);
            carried++;
        }
        return carried;
    }

    @Test
    void workerCountsOnAProcessorForEachThreadUnlessMoreIsSaid() {
        int present = Runtime.getRuntime().availableProcessors();
        Fiber fiber = session.fiber();
        try (Pool many = fiber.poolBuilder(1).threadsPerWorker(1000).build();
                Pool few = fiber.poolBuilder(1)
                        .threadsPerWorker(1000)
                        .resources(Resources.cpus(1))
                        .build()) {
            assertThat(many.apply(() -> Runtime.getRuntime().availableProcessors()))
                    .isEqualTo(present);
            assertThat(few.apply(() -> Runtime.getRuntime().availableProcessors()))
                    .isEqualTo(1);
        }
    }

    @Test
    void taskMayStartProcessesOfItsOwnBesideOthers() {
        try (Pool pool = session.fiber().poolBuilder(1).threadsPerWorker(2).build()) {
            List<Long> sums = pool.map(ThreadsPerWorkerTest::sumByAPoolOfItsOwn, List.of(10, 20));

            assertThat(sums).containsExactly(45L, 190L);
        }
    }

    private static long sumByAPoolOfItsOwn(int count) {
        try (Pool pool = Fiber.current().pool(1)) {
            return pool.map(i -> (long) i, IntStream.range(0, count)).stream()
                    .mapToLong(value -> value)
                    .sum();
        }
    }
}
