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
import io.fiber.tck.fault.Interrupt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Objects of one process that are called from others; the processes are real. */
@Tag("slow")
class RemoteCallsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    /** A result is read by the main process, and so bound to it. */
    private static RemoteCounter.Seed seedBy(Pool pool) {
        return (RemoteCounter.Seed)
                pool.map(item -> RemoteCounter.Seed.written(), IntStream.of(1)).get(0);
    }

    private static RemoteCounter counter() {
        return seedBy(session.pool(1)).plant();
    }

    @Test
    void workersCallAnObjectOfTheMainProcess() {
        RemoteCounter counter = counter();
        session.pool(2).map(item -> counter.add(item), IntStream.rangeClosed(1, 1_000));
        assertThat(counter.add(0)).isEqualTo(500_500);
    }

    @Test
    void workersAndTheMainProcessCallAnObjectOfAWorker() {
        Pool pool = session.pool(1);
        RemoteCounter.Seed seed = seedBy(pool);
        RemoteCounter counter = pool.map(item -> seed.plant(), IntStream.of(1)).get(0);
        session.pool(2).map(item -> counter.add(item), IntStream.rangeClosed(1, 1_000));
        assertThat(counter.add(1)).isEqualTo(500_501);
    }

    @Test
    void workersOfWorkersCallAnObjectOfTheMainProcess() {
        RemoteCounter counter = counter();
        FiberProcess parent = session.fiber().process(() -> {
            FiberProcess child = Fiber.current().process(() -> counter.add(3));
            child.join();
            counter.add(4);
        });
        parent.join();
        assertThat(counter.add(0) % 1_000_000).isEqualTo(7);
    }

    @Test
    void threadsOfAWorkerCallAtTheSameTime() {
        RemoteCounter counter = counter();
        session.pool(1).map(item -> addByThreads(counter), IntStream.of(1));
        assertThat(counter.add(0)).isEqualTo(4 * 500);
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
        try (Fiber fiber = LocalFiber.open()) {
            RemoteCounter counter;
            try (Pool pool = fiber.pool(1)) {
                RemoteCounter.Seed seed = seedBy(pool);
                counter = pool.map(item -> seed.plant(), IntStream.of(1)).get(0);
                assertThat(counter.add(1)).isEqualTo(1);
            }
            assertThatThrownBy(() -> counter.add(1))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-400 The process 0.1 has ended")
                    .hasMessageContaining("has ended: ");
        }
    }

    @Test
    void objectIsToldWhenACallerIsKilled() {
        RemoteCounter counter = counter();
        FiberProcess process = session.fiber().process(() -> {
            counter.add(1);
            counter.hang();
        });
        await().atMost(LocalFiber.LIMIT).until(() -> counter.add(0) == 1);
        process.kill();
        await().atMost(LocalFiber.LIMIT).until(() -> counter.add(0) == 1_000_001);
    }

    @Test
    void interruptEndsAWaitInTheMainProcess() {
        RemoteCounter counter = counter();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                counter.hang();
            } catch (WaitInterruptedException e) {
                thrown.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("no flag"));
            }
        });
        thread.start();
        Interrupt.whenItWaits(thread);
        assertThat(thrown.join())
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessage("FBR-303 Interrupted while waiting for a counter.");
    }

    @Test
    void waitEndsWithTheSession() {
        RemoteCounter counter;
        CompletableFuture<Void> waiting;
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            RemoteCounter planted = seedBy(pool).plant();
            counter = planted;
            CountDownLatch begun = new CountDownLatch(1);
            waiting = CompletableFuture.runAsync(() -> {
                begun.countDown();
                planted.hang();
            });
            await().atMost(LocalFiber.LIMIT).until(() -> begun.getCount() == 0);
        }
        assertThatThrownBy(waiting::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("FBR-302");
        assertThatThrownBy(() -> counter.add(1)).hasMessageStartingWith("FBR-302 ");
    }
}
