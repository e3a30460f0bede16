// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.WaitInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects of one process that are called from others; the processes are real. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RemoteCallsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static Fiber open() {
        return LocalFiber.open();
    }

    /** A result is read by the main process, and so bound to it. */
    private static RemoteCounter.Seed seed(Fiber fiber) {
        try (Pool pool = fiber.pool(1)) {
            return (RemoteCounter.Seed) pool.map((int item) -> RemoteCounter.Seed.written(), IntStream.of(1))
                    .get(0);
        }
    }

    private static RemoteCounter counterIn(Fiber fiber) {
        return seed(fiber).plant();
    }

    @Test
    void workersCallAnObjectOfTheMainProcess() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(2)) {
            RemoteCounter counter = counterIn(fiber);
            pool.map((int item) -> counter.add(item), IntStream.rangeClosed(1, 1_000));
            assertThat(counter.add(0)).isEqualTo(500_500);
        }
    }

    @Test
    void workersAndTheMainProcessCallAnObjectOfAWorker() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1);
                Pool others = fiber.pool(2)) {
            RemoteCounter.Seed seed = seed(fiber);
            RemoteCounter counter =
                    pool.map((int item) -> seed.plant(), IntStream.of(1)).get(0);
            others.map((int item) -> counter.add(item), IntStream.rangeClosed(1, 1_000));
            assertThat(counter.add(1)).isEqualTo(500_501);
        }
    }

    @Test
    void workersOfWorkersCallAnObjectOfTheMainProcess() {
        try (Fiber fiber = open()) {
            RemoteCounter counter = counterIn(fiber);
            FiberProcess parent = fiber.process(() -> {
                FiberProcess child =
                        Fiber.current().process(() -> counter.add(3)).start();
                child.join();
                counter.add(4);
            });
            parent.start();
            parent.join();
            assertThat(counter.add(0) % 1_000_000).isEqualTo(7);
        }
    }

    @Test
    void threadsOfAWorkerCallAtTheSameTime() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            RemoteCounter counter = counterIn(fiber);
            pool.map((int item) -> addByThreads(counter), IntStream.of(1));
            assertThat(counter.add(0)).isEqualTo(4 * 500);
        }
    }

    private static int addByThreads(RemoteCounter counter) {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int j = 0; j < 500; j++) {
                            counter.add(1);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        threads.forEach(CompletableFuture::join);
        return 0;
    }

    @Test
    void callOfAWorkerThatHasEndedFailsAndSaysHow() {
        try (Fiber fiber = open()) {
            RemoteCounter.Seed seed = seed(fiber);
            RemoteCounter counter;
            try (Pool pool = fiber.pool(1)) {
                counter = pool.map((int item) -> seed.plant(), IntStream.of(1)).get(0);
                assertThat(counter.add(1)).isEqualTo(1);
            }
            assertThatThrownBy(() -> counter.add(1))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-400 The process 0.2 is gone")
                    .hasMessageContaining("has ended: ");
        }
    }

    @Test
    void objectIsToldWhenACallerIsKilled() {
        try (Fiber fiber = open()) {
            RemoteCounter counter = counterIn(fiber);
            FiberProcess process = fiber.process(() -> {
                counter.add(1);
                counter.hang();
            });
            process.start();
            await().atMost(LIMIT).until(() -> counter.add(0) == 1);
            process.terminate();
            await().atMost(LIMIT).until(() -> counter.add(0) == 1_000_001);
        }
    }

    @Test
    void interruptEndsAWaitInTheMainProcess() throws InterruptedException {
        try (Fiber fiber = open()) {
            RemoteCounter counter = counterIn(fiber);
            CountDownLatch waits = new CountDownLatch(1);
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                waits.countDown();
                try {
                    counter.hang();
                } catch (WaitInterruptedException e) {
                    thrown.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("no flag"));
                }
            });
            thread.start();
            waits.await();
            thread.interrupt();
            assertThat(thrown.join())
                    .isInstanceOf(WaitInterruptedException.class)
                    .hasMessage("FBR-303 Interrupted while waiting for a counter.");
        }
    }

    @Test
    void waitEndsWithTheSession() {
        RemoteCounter counter;
        CompletableFuture<Void> waiting;
        try (Fiber fiber = open()) {
            RemoteCounter planted = counterIn(fiber);
            counter = planted;
            CountDownLatch begun = new CountDownLatch(1);
            waiting = CompletableFuture.runAsync(() -> {
                begun.countDown();
                planted.hang();
            });
            await().atMost(LIMIT).until(() -> begun.getCount() == 0);
        }
        assertThatThrownBy(waiting::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("FBR-302");
        assertThatThrownBy(() -> counter.add(1)).hasMessageStartingWith("FBR-302 ");
    }
}
