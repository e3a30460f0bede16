// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.PoolState;
import io.fiber.ProcessState;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who interrupts a close wants no more of it. */
@Tag("slow")
class InterruptedCloseTest {

    @TempDir
    Path directory;

    private static int lastForHours(String began) throws InterruptedException {
        LocalFiber.note(began, "began");
        LocalFiber.last(Duration.ofHours(1));
        return 1;
    }

    /** Closes in a thread that is interrupted while it waits. */
    private static void assertThatItIsInterrupted(AutoCloseable closed) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread closing = new Thread(() -> {
            try {
                closed.close();
                thrown.completeExceptionally(new AssertionError("closed"));
            } catch (Exception e) {
                thrown.complete(
                        Thread.currentThread().isInterrupted() ? e : new AssertionError("no longer interrupted"));
            }
        });
        closing.start();
        Interrupt.whenItWaits(closing);
        assertThat(thrown).succeedsWithin(LocalFiber.LIMIT).isInstanceOf(WaitInterruptedException.class);
    }

    @Test
    void poolIsTerminated() {
        String began = directory.resolve("began").toString();
        try (Fiber fiber = LocalFiber.open()) {
            Pool pool = fiber.pool(1);
            CompletableFuture<Integer> task = pool.applyAsync(InterruptedCloseTest::lastForHours, began);
            LocalFiber.awaitNotes(Path.of(began), 1);

            assertThatItIsInterrupted(pool);

            assertThat(pool.awaitTermination(LocalFiber.LIMIT)).isTrue();
            assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
            assertThatThrownBy(task::join).isInstanceOf(CancellationException.class);
        }
    }

    /** Ends something in a thread that is interrupted already. */
    private static void endInterrupted(Runnable end) {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread ending = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                end.run();
                interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
                interrupted.completeExceptionally(e);
            }
        });
        ending.start();
        assertThat(interrupted).succeedsWithin(LocalFiber.LIMIT).isEqualTo(true);
    }

    @Test
    void interruptedThreadTerminatesAPoolAndStaysInterrupted() {
        String began = directory.resolve("began").toString();
        try (Fiber fiber = LocalFiber.open()) {
            Pool pool = fiber.pool(1);
            CompletableFuture<Integer> task = pool.applyAsync(InterruptedCloseTest::lastForHours, began);
            LocalFiber.awaitNotes(Path.of(began), 1);

            endInterrupted(pool::shutdownNow);

            assertThat(pool.awaitTermination(LocalFiber.LIMIT)).isTrue();
            assertThatThrownBy(task::join).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void interruptedThreadClosesAManagerWhoseProcessDoesNotEnd() {
        try (Fiber fiber = LocalFiber.open()) {
            Manager manager = fiber.managerBuilder()
                    .initializer(() -> new Thread(() -> new CompletableFuture<Void>().join()).start())
                    .start();

            endInterrupted(manager::close);

            assertThat(manager.process().onExit()).succeedsWithin(LocalFiber.LIMIT);
        }
    }

    @Test
    void sessionIsTerminatedWithItsPoolsAndProcesses() {
        String inPool = directory.resolve("in a pool").toString();
        String inProcess = directory.resolve("in a process").toString();
        Fiber fiber = LocalFiber.open();
        FiberProcess process = fiber.process(() -> lastForHours(inProcess));
        Pool pool = fiber.pool(1);
        CompletableFuture<Integer> task = pool.applyAsync(InterruptedCloseTest::lastForHours, inPool);
        LocalFiber.awaitNotes(Path.of(inPool), 1);
        LocalFiber.awaitNotes(Path.of(inProcess), 1);

        assertThatItIsInterrupted(fiber);

        assertThat(pool.state()).isEqualTo(PoolState.TERMINATED);
        assertThat(task).isCompletedExceptionally();
        assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);
        assertThat(process.state()).isNotEqualTo(ProcessState.RUNNING);
    }

    @Test
    void sessionThatWaitsForAProcessIsTerminated() {
        String inProcess = directory.resolve("in a process").toString();
        Fiber fiber = LocalFiber.open();
        FiberProcess process = fiber.process(() -> lastForHours(inProcess));
        LocalFiber.awaitNotes(Path.of(inProcess), 1);

        assertThatItIsInterrupted(fiber);

        assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);
        assertThat(process.state()).isNotEqualTo(ProcessState.RUNNING);
    }
}
