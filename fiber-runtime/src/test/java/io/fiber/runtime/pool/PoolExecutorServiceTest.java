// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.PoolClosedException;
import io.fiber.function.RemoteCallable;
import java.io.IOException;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.tools.ToolProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PoolExecutorServiceTest {
    private static CountDownLatch begun = new CountDownLatch(0);
    private static CountDownLatch released = new CountDownLatch(0);
    private static CountDownLatch interrupted = new CountDownLatch(0);

    private final LocalCalls local = new LocalCalls();
    private final ExecutorService executor = new PoolExecutorService(local.calls());

    @BeforeEach
    void freshLatches() {
        begun = new CountDownLatch(1);
        released = new CountDownLatch(1);
        interrupted = new CountDownLatch(1);
    }

    @AfterEach
    void closePool() {
        local.close();
    }

    private static Object waitForRelease() throws InterruptedException {
        begun.countDown();
        try {
            released.await();
            return "released";
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    private static final RemoteCallable<Object> WAITING = PoolExecutorServiceTest::waitForRelease;

    private static final RemoteCallable<Object> FAILING = () -> {
        throw new IOException("disk full");
    };

    @Test
    void serializableCallableRunsAndReturnsItsResult() throws Exception {
        Future<Integer> future = executor.submit((Callable<Integer> & Serializable) () -> 6 * 7);

        assertThat(future.get(10, SECONDS)).isEqualTo(42);
    }

    @Test
    void submittedRunnableReturnsTheValueThatStayedHere() throws Exception {
        Object staysHere = new Object();

        Future<Object> future = executor.submit((Runnable & Serializable) () -> begun.countDown(), staysHere);

        assertThat(future.get(10, SECONDS)).isSameAs(staysHere);
        assertThat(begun.getCount()).isZero();
    }

    @Test
    void executedRunnableRuns() throws Exception {
        executor.execute((Runnable & Serializable) () -> begun.countDown());

        assertThat(begun.await(10, SECONDS)).isTrue();
    }

    @Test
    void futureFailsWithWhatTheTaskThrew() {
        Future<Object> future = executor.submit(FAILING);

        assertThatThrownBy(() -> future.get(10, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("disk full");
    }

    @Test
    void taskThatCannotTravelIsRefusedWithAHint() {
        assertThatThrownBy(() -> executor.submit(() -> 1))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageStartingWith("FBR-406 The task, a java.util.concurrent.Callable (lambda in "
                        + PoolExecutorServiceTest.class.getName() + ")")
                .hasMessageContaining(", is not serializable and cannot be sent to a worker. If the lambda is your own,"
                        + " cast it to (Callable<T> & Serializable) or (Runnable & Serializable), or use"
                        + " Pool.applyAsync or runAsync. If a library has made it, give the library an executor of"
                        + " local threads, and the function pool.remote(function), which runs in a worker.");
    }

    @Test
    void completionServiceIsRefusedInsteadOfRunningHere() {
        ExecutorCompletionService<Object> service = new ExecutorCompletionService<>(executor);

        assertThatThrownBy(() -> service.submit(WAITING))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageStartingWith(
                        "FBR-406 The task, a java.util.concurrent.ExecutorCompletionService$QueueingFuture,"
                                + " is not serializable and cannot be sent to a worker. Use Pool.applyAsync and"
                                + " Fiber.asCompleted in place of the JDK's. If a library");
        assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> 1, executor))
                .isInstanceOf(RejectedExecutionException.class);
    }

    /** With a RejectedExecutionException, a flow of RxJava would wait forever. */
    @Test
    void taskOfRxJavaIsRefusedByAnExceptionThatReachesTheCaller(@TempDir Path directory) throws Exception {
        Path source = Files.writeString(
                directory.resolve("Task.java"),
                "package io.reactivex.rxjava3; public class Task implements Runnable { public void run() {} }");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), source.toString()))
                .isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Runnable task = (Runnable) loader.loadClass("io.reactivex.rxjava3.Task")
                    .getConstructor()
                    .newInstance();
            for (ThrowingCallable refused :
                    List.<ThrowingCallable>of(() -> executor.execute(task), () -> executor.submit(task))) {
                assertThatThrownBy(refused)
                        .isExactlyInstanceOf(FiberException.class)
                        .hasMessageStartingWith("FBR-406 The task, a io.reactivex.rxjava3.Task, is not serializable")
                        .hasMessageContaining("give the library an executor of local threads");
            }
        }
    }

    @Test
    void invokeAllWaitsForAllInOrder() throws Exception {
        List<Future<Object>> futures = executor.invokeAll(List.of(remote(1), FAILING, remote(3)));

        assertThat(futures).hasSize(3).allMatch(Future::isDone);
        assertThat(futures.get(0).get()).isEqualTo(1);
        assertThat(futures.get(2).get()).isEqualTo(3);
    }

    private static RemoteCallable<Object> remote(Object value) {
        return () -> value;
    }

    @Test
    void invokeAnyReturnsTheFirstSuccessAndCancelsTheRest() throws Exception {
        Object first = executor.invokeAny(List.of(FAILING, remote("first"), WAITING));

        assertThat(first).isEqualTo("first");
        executor.shutdown();
        assertThat(executor.awaitTermination(10, SECONDS)).isTrue();
    }

    @Test
    void invokeAnyFailsWithTheLastFailureWhenAllFail() {
        assertThatThrownBy(() -> executor.invokeAny(List.of(FAILING, FAILING)))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void invokeAnyEndsWhenTimeHasPassed() throws Exception {
        assertThatThrownBy(() -> executor.invokeAny(List.of(WAITING), 20, MILLISECONDS))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("No task returned a result in time; 1 of 1 are still running.");
    }

    @Test
    void cancellingAFutureInterruptsTheWorker() throws Exception {
        Future<Object> future = executor.submit(WAITING);
        assertThat(begun.await(10, SECONDS)).isTrue();

        assertThat(future.cancel(true)).isTrue();

        assertThat(interrupted.await(10, SECONDS)).isTrue();
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void shutdownRefusesNewTasksAndFinishesOldOnes() throws Exception {
        Future<Object> old = executor.submit(WAITING);
        executor.shutdown();
        executor.shutdown();

        assertThatThrownBy(() -> executor.submit(remote(1)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("This executor was shut down and takes no more tasks. Submit before shutdown().");
        assertThat(executor.isShutdown()).isTrue();
        assertThat(executor.isTerminated()).isFalse();
        assertThat(executor.awaitTermination(1, MILLISECONDS)).isFalse();
        released.countDown();
        assertThat(executor.awaitTermination(10, SECONDS)).isTrue();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(old.get()).isEqualTo("released");
    }

    @Test
    void shutdownNowReachesTheWorkers() throws Exception {
        Future<Object> running = executor.submit(WAITING);
        assertThat(begun.await(10, SECONDS)).isTrue();

        assertThat(executor.shutdownNow()).isEmpty();

        assertThat(interrupted.await(10, SECONDS)).isTrue();
        assertThat(running.isCancelled()).isTrue();
        assertThat(executor.awaitTermination(10, SECONDS)).isTrue();
    }

    @Test
    void shutdownOfAnIdleExecutorTerminatesItAtOnce() throws Exception {
        executor.shutdown();

        assertThat(executor.awaitTermination(0, SECONDS)).isTrue();
    }

    @Test
    void closedPoolRejectsAndLeavesNothingPending() throws Exception {
        local.refuseMore();

        assertThatThrownBy(() -> executor.submit(remote(1)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageStartingWith("FBR-404 Pool 'local' is DRAINING and takes no more tasks; expected RUNNING.")
                .hasCauseInstanceOf(PoolClosedException.class);
        executor.shutdown();
        assertThat(executor.isTerminated()).isTrue();
    }
}
