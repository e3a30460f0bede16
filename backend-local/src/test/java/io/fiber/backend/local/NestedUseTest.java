// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CurrentProcess;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.function.RemoteCallable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that start processes and pools of their own. */
@Tag("slow")
class NestedUseTest {

    @TempDir
    Path directory;

    @AfterEach
    void thisProcessHasLeftNothing() {
        NestedPrograms.assertNothingIsLeftOf(LocalFiber.pid());
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private String read(String name) {
        return NestedPrograms.read(directory.resolve(name));
    }

    @Test
    void thereIsNoCurrentSessionOutsideOfAWorker() {
        assertThatThrownBy(Fiber::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-301")
                .hasMessageContaining("Fiber.open()");
    }

    /** A class whose initializer asks for a session, wherever it is run. */
    private static final class Eager {
        private static final String TOLD = told();

        private static String told() {
            try {
                return Fiber.current().backend();
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            }
        }

        private static RemoteCallable<String> task() {
            return () -> TOLD;
        }
    }

    @Test
    void aWorkerOpensNoSessionWhileItReadsATask() {
        RemoteCallable<String> task = Eager.task();
        assertThat(Eager.TOLD).startsWith("FBR-301 ");
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(task))
                    .startsWith("FBR-304 A session was requested while this worker was deserializing");
        }
    }

    @Test
    void aProcessStartsAProcess() {
        String inner = file("inner");
        String outer = file("outer");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> {
                Fiber own = Fiber.current();
                FiberProcess child = own.process(() -> NestedPrograms.write(inner, line(Fiber.current())));
                int code = child.join();
                NestedPrograms.write(outer, line(own) + " " + own.backend() + " " + code);
            });
            assertThat(process.join()).isZero();
            String[] outerWords = read("outer").split(" ", -1);
            String[] innerWords = read("inner").split(" ", -1);
            assertThat(outerWords).startsWith("main").endsWith("local", "0");
            assertThat(outerWords[2]).isEqualTo(process.id().orElseThrow());
            assertThat(innerWords[0]).isEqualTo(outerWords[1]);
            assertThat(innerWords[2]).isNotEqualTo(outerWords[2]);
        }
    }

    @Test
    void aProcessOfAProcessSeesTheProcessorsOfTheHost() {
        String seen = file("seen");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> Fiber.current()
                    .process(() ->
                            NestedPrograms.write(seen, "" + Runtime.getRuntime().availableProcessors()))
                    .join());
            assertThat(process.join()).isZero();
        }
        assertThat(read("seen")).isEqualTo("" + Runtime.getRuntime().availableProcessors());
    }

    private static String line(Fiber session) {
        CurrentProcess me = session.currentProcess();
        return me.parent().orElse("nobody") + " " + me.name() + " " + me.id();
    }

    @Test
    void aTaskOfAPoolUsesAPool() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            List<Integer> sums = pool.map(
                    n -> {
                        try (Pool own = Fiber.current().pool(2)) {
                            List<Integer> products = own.map(i -> i * n, IntStream.range(0, 100));
                            return products.stream().mapToInt(Integer::intValue).sum();
                        }
                    },
                    List.of(1, 2, 3));
            assertThat(sums).containsExactly(4950, 9900, 14850);
        }
    }

    @Test
    void aPoolWorksInAProcessOfAProcess() {
        String result = file("result");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess top = fiber.process(() -> {
                FiberProcess middle = Fiber.current().process(() -> {
                    try (Pool pool = Fiber.current().pool(2)) {
                        NestedPrograms.write(result, pool.map(i -> i + 1, IntStream.range(0, 5)));
                    }
                });
                if (middle.join() != 0) {
                    throw middle.failure().orElseThrow();
                }
            });
            assertThat(top.join()).isZero();
            assertThat(read("result")).isEqualTo("[1, 2, 3, 4, 5]");
        }
    }

    @Test
    void anExceptionOfAGrandchildReachesTheRoot() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.apply(() -> {
                        try (Pool own = Fiber.current().pool(1)) {
                            return own.apply(() -> {
                                throw new IOException("no such horse");
                            });
                        }
                    }))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasStackTraceContaining("no such horse")
                    .hasStackTraceContaining("java.io.IOException");
        }
    }

    @Test
    void aProcessWaitsForWhatItStartedAndEndsItsDaemons() {
        String late = file("late");
        String daemon = file("daemon");
        String go = file("go");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> {
                Fiber own = Fiber.current();
                own.process(() -> {
                    await().atMost(LocalFiber.LIMIT).until(() -> Files.exists(Path.of(go)));
                    NestedPrograms.write(late, "done");
                });
                FiberProcess servant =
                        own.processBuilder(NestedPrograms::forever).daemon().start();
                NestedPrograms.write(daemon, servant.id().orElseThrow());
            });
            long servant = Long.parseLong(read("daemon"));
            assertThat(process.isAlive()).isTrue();
            NestedPrograms.write(go, "");
            assertThat(process.join()).isZero();
            assertThat(read("late")).isEqualTo("done");
            NestedPrograms.assertGone(servant);
        }
    }

    @Test
    void threadsThatATaskStartsAreInItsSession() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            String answer = pool.apply(() -> inAnotherThread(() -> {
                try (Pool own = Fiber.current().pool(1)) {
                    return own.apply(
                            () -> Fiber.current().currentProcess().parent().orElseThrow());
                }
            }));
            String worker = pool.apply(() -> Fiber.current().currentProcess().name());
            assertThat(answer).isEqualTo(worker);
        }
    }

    private static <T> T inAnotherThread(java.util.concurrent.Callable<T> work) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Test
    void aWorkerThatClosedItsSessionGetsAnother() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            for (int i = 0; i < 2; i++) {
                long child = pool.apply(() -> {
                    try (Fiber own = Fiber.current();
                            Pool inner = own.pool(1)) {
                        return inner.apply(LocalFiber::pid);
                    }
                });
                NestedPrograms.assertGone(child);
            }
        }
    }

    @Test
    void linesOfAGrandchildAreToldByTheRoot() {
        String lines = file("lines");
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess process = fiber.process(() -> {
                FiberProcess child = Fiber.current().process(() -> System.out.println("I am the grandchild"));
                child.join();
                NestedPrograms.write(lines, child.logs(10));
            });
            assertThat(process.join()).isZero();
            assertThat(read("lines")).contains("I am the grandchild");
        }
    }

    @Test
    void requestsTravelSealedWhereMemoryIsNotShared() {
        try (Fiber fiber = LocalFiber.builder(new WalledBackend()).open();
                Pool pool = fiber.pool(1)) {
            List<Integer> answer = pool.apply(() -> {
                try (Pool own = Fiber.current().pool(1)) {
                    return own.map(i -> i * i, IntStream.range(0, 4));
                }
            });
            assertThat(answer).containsExactly(0, 1, 4, 9);
        }
    }
}
