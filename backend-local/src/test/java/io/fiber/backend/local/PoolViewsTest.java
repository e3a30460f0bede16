// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Pool;
import io.fiber.WorkerLocal;
import io.fiber.WorkerLostException;
import io.fiber.function.RemoteCallable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A pool under other options, as an executor, and what its workers keep. */
@Tag("slow")
class PoolViewsTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @TempDir
    Path tmp;

    @Test
    void viewsHaveTheirOwnOptions() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .callOptions(CallOptions.defaults().maxReruns(1))
                .build()) {
            String file = tmp.resolve("begun").toString();

            assertThatThrownBy(
                            () -> pool.with(CallOptions.defaults().maxReruns(0)).apply(() -> halt(file)))
                    .hasMessageContaining("was started once");
            assertThatThrownBy(() -> pool.apply(() -> halt(file))).hasMessageContaining("was started 2 times");
            assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        }
    }

    private static int halt(String file) {
        LocalFiber.note(file, "begun");
        Runtime.getRuntime().halt(4);
        return 1;
    }

    @Test
    void executorRunsItsTasksInThePool() throws Exception {
        Pool pool = session.pool(2);
        ExecutorService executor = pool.asExecutorService();
        List<Square> squares = List.of(new Square(3), new Square(4));

        assertThat(executor.submit(new Square(5)).get(30, TimeUnit.SECONDS)).isEqualTo(25);
        List<Integer> results = new ArrayList<>();
        for (Future<Integer> each : executor.invokeAll(squares)) {
            results.add(each.get());
        }
        assertThat(results).containsExactly(9, 16);
        assertThat(executor.invokeAny(squares)).isIn(9, 16);
        executor.shutdown();
        assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> executor.submit(new Square(1))).isInstanceOf(RejectedExecutionException.class);
        assertThat(pool.<Integer>apply(() -> 1)).isEqualTo(1);
    }

    @Test
    void executorOfAViewHasTheOptionsOfTheView() {
        String file = tmp.resolve("begun").toString();
        try (Pool pool = session.fiber().pool(1)) {
            ExecutorService executor =
                    pool.with(CallOptions.defaults().maxReruns(0)).asExecutorService();

            Future<Integer> halted = executor.submit(new Halt(file));

            assertThatThrownBy(() -> halted.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("was started once");
            assertThat(LocalFiber.notes(Path.of(file))).hasSize(1);
        }
    }

    record Halt(String file) implements RemoteCallable<Integer>, java.util.concurrent.Callable<Integer> {
        @Override
        public Integer call() {
            return halt(file);
        }
    }

    record Square(int number) implements RemoteCallable<Integer>, java.util.concurrent.Callable<Integer> {
        @Override
        public Integer call() {
            return number * number;
        }
    }

    private record Model(String file) implements AutoCloseable {
        @Override
        public void close() {
            LocalFiber.note(file, "closed");
        }
    }

    @Test
    void valueOfAWorkerIsMadeOnceAndClosedWhenTheWorkerEnds() {
        String file = tmp.resolve("notes").toString();
        WorkerLocal<Model> model = WorkerLocal.of(() -> {
            LocalFiber.note(file, "made");
            return new Model(file);
        });

        try (Pool pool = session.fiber().pool(1)) {
            assertThat(pool.map(item -> model.get().file(), List.of(1, 2, 3))).containsOnly(file);
            assertThat(LocalFiber.notes(Path.of(file))).containsExactly("made");
        }

        await().untilAsserted(() -> assertThat(LocalFiber.notes(Path.of(file))).containsExactly("made", "closed"));
    }
}
