// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.ProcessState;
import io.fiber.WorkerLocal;
import io.fiber.WorkerLostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs at the end of a worker has the grace, and no longer. */
@Tag("slow")
class ShutdownHooksTest {

    /** Longer than a hook was ever given by accident. */
    private static final Duration SLOW = Duration.ofMillis(2_500);

    @TempDir
    Path tmp;

    /** What a worker closes at its end. */
    private record Sink(String notes) implements AutoCloseable {
        @Override
        public void close() {
            slowly(notes, "closed");
        }
    }

    private static void slowly(String notes, String what) {
        try {
            LocalFiber.last(SLOW);
        } catch (InterruptedException e) {
            LocalFiber.note(notes, "interrupted");
        }
        LocalFiber.note(notes, what);
    }

    private static void addHook(Runnable hook) {
        Runtime.getRuntime().addShutdownHook(new Thread(hook, "hook of the test"));
    }

    @SuppressWarnings("InfiniteLoopStatement") // that is what such hooks do
    private static void never() {
        while (true) {
            LockSupport.park();
        }
    }

    @Test
    void hooksOfEveryKindOfWorkerHaveTheGrace() {
        String notes = tmp.resolve("notes").toString();
        try (Fiber fiber = LocalFiber.builder().set("shutdown-grace", "1m").open()) {
            FiberProcess process = fiber.process(() -> addHook(() -> slowly(notes, "process")));
            Manager manager = fiber.managerBuilder()
                    .initializer(() -> addHook(() -> slowly(notes, "manager")))
                    .start();
            try (Pool pool = fiber.pool(1)) {
                WorkerLocal<Sink> sink = WorkerLocal.of(() -> new Sink(notes));
                assertThat(pool.apply(() -> sink.get().notes())).isEqualTo(notes);
            }
            fiber.ring(1).run(member -> addHook(() -> slowly(notes, "ring")));
            manager.close();

            assertThat(process.join()).isZero();
            assertThat(process.state()).isEqualTo(ProcessState.EXITED);
        }
        assertThat(LocalFiber.notes(Path.of(notes))).containsExactlyInAnyOrder("process", "manager", "closed", "ring");
    }

    @ParameterizedTest
    @ValueSource(strings = {"watch", "program"})
    void directoriesStayUntilTheHooksHaveEnded(String who) throws Exception {
        Path directory = tmp.resolve("directory");
        try (MasterJvm jvm = new MasterJvm(tmp, HookProgram.class, List.of(), who, directory.toString())) {
            for (int i = 0; i < HookProgram.HOOKS; i++) {
                assertThat(jvm.awaitLine("directory is there: ")).isEqualTo("true");
            }
            List<String> output = jvm.awaitEnd(0);
            assertThat(directory).as("%s", output).doesNotExist();
        }
    }

    /** The lease is the only other thing that would tell, and is longer than the test may take. */
    @Test
    void connectionTellsOfAnOrderlyEndWhereThePlatformDoesNot() {
        try (Fiber fiber = LocalFiber.builder(new TacitBackend())
                .set("lease", "10m")
                .set("shutdown-grace", "10m")
                .open()) {
            FiberProcess process = fiber.process(() -> {});

            assertThat(process.join(LocalFiber.LIMIT)).hasValue(0);
            assertThat(process.state()).isEqualTo(ProcessState.EXITED);
        }
    }

    @Test
    void hookUsesAQueue() {
        try (Fiber fiber = LocalFiber.open()) {
            FiberQueue<String> queue = fiber.queue();
            FiberProcess process = fiber.process(() -> addHook(() -> queue.put("from the hook")));

            assertThat(queue.poll(LocalFiber.LIMIT)).contains("from the hook");
            assertThat(process.join()).isZero();
        }
    }

    @Test
    void hooksThatDoNotEndAreNamedAndTheirProcessIsKilled() {
        String notes = tmp.resolve("notes").toString();
        try (Fiber fiber = LocalFiber.builder().set("shutdown-grace", "1s").open()) {
            FiberProcess waits = fiber.process(() -> addHook(ShutdownHooksTest::never));
            FiberProcess exits = fiber.process(() -> {
                addHook(() -> System.exit(4));
                System.exit(3);
            });
            FiberProcess asked = fiber.process(() -> {
                addHook(ShutdownHooksTest::never);
                LocalFiber.note(notes, "ready");
                never();
            });
            LocalFiber.awaitNotes(Path.of(notes), 1);
            asked.terminate();

            assertThat(waits.join()).isEqualTo(128 + 9);
            assertThat(waits.state()).isEqualTo(ProcessState.LOST);
            assertThat(String.join("\n", waits.logs(10)))
                    .contains("FBR-313 This process is killed: its shutdown began 1 s ago, and these have not ended: ")
                    .contains("'hook of the test' at io.fiber.backend.local.ShutdownHooksTest.never(ShutdownHooksTest");
            assertThat(exits.join()).isEqualTo(128 + 9);
            assertThat(String.join("\n", exits.logs(10)))
                    .contains(
                            "'hook of the test', which called System.exit: that never returns in a shutdown hook, at ");
            assertThat(asked.join()).isEqualTo(128 + 9);
            assertThat(asked.state()).isEqualTo(ProcessState.TERMINATED);
        }
    }

    @Test
    void taskThatEndsAJvmWhoseHooksDoNotEndCountsAnAttempt() {
        try (Fiber fiber = LocalFiber.builder().set("shutdown-grace", "1s").open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            WorkerLostException lost = catchThrowableOfType(
                    WorkerLostException.class,
                    () -> pool.apply(() -> {
                        addHook(() -> System.exit(4));
                        System.exit(3);
                        return 1;
                    }));

            assertThat(lost)
                    .hasMessageContaining(" was started once, and its worker was lost: ")
                    .hasMessageContaining(
                            "killed, because its shutdown hooks had not ended within shutdown-grace. Its last lines:\n")
                    .hasMessageContaining("FBR-313 ");
            assertThat(pool.apply(() -> "fine")).isEqualTo("fine");
        }
    }
}
