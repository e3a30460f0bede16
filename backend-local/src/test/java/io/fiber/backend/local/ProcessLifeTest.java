// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberProcessBuilder;
import io.fiber.Pool;
import io.fiber.ProcessLostException;
import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import io.fiber.WaitInterruptedException;
import io.fiber.spec.EndCause;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.host.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A process from start to end. */
@Tag("slow")
class ProcessLifeTest {

    @RegisterExtension
    static final SharedSession session =
            new SharedSession(() -> LocalFiber.builder().set("fiber.shutdown-grace", "60s"));

    @TempDir
    Path tmp;

    @Test
    void programThatReturnsExitsWithZero() {
        FiberProcess process = session.fiber().process(() -> System.out.println("hello"));
        assertThat(process.id()).isPresent();
        assertThat(process.join()).isZero();

        assertThat(process.state()).isEqualTo(ProcessState.EXITED);
        assertThat(process.isAlive()).isFalse();
        assertThat(process.exitCode()).hasValue(0);
        assertThat(process.cause()).hasValue(EndCause.EXITED);
        assertThat(process.failure()).isEmpty();
        assertThat(process.logs(10)).contains("hello");
        assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT).isSameAs(process);
        assertThat(process.join()).isZero();
        assertThat(process.join(Duration.ZERO)).hasValue(0);
    }

    @Test
    void programThatThrowsExitsWithOneAndItsFailureIsKept() {
        FiberProcess process = session.fiber().process(() -> {
            throw new IOException("disk is full");
        });

        assertThat(process.join()).isEqualTo(1);
        assertThat(process.state()).isEqualTo(ProcessState.EXITED);
        RemoteTaskException failure = process.failure().orElseThrow();
        assertThat(failure.remoteType()).isEqualTo("java.io.IOException");
        assertThat(failure).hasRootCauseMessage("disk is full");
        assertThat(failure.remoteStackTrace()).contains("ProcessLifeTest");
        assertThat(String.join("\n", process.logs(50))).contains("disk is full");
    }

    @Test
    void programThatExitsGivesItsCode() {
        Fiber fiber = session.fiber();
        FiberProcess exits = fiber.process(() -> System.exit(7));
        FiberProcess halts = fiber.process(() -> Runtime.getRuntime().halt(9));

        assertThat(exits.join()).isEqualTo(7);
        assertThat(halts.join()).isEqualTo(9);
        assertThat(exits.failure()).isEmpty();
        assertThat(exits.state()).isEqualTo(ProcessState.EXITED);
    }

    @Test
    void processWaitsForTheThreadsOfItsProgram() {
        Fiber fiber = session.fiber();
        Path notes = tmp.resolve("notes");
        String name = notes.toString();
        FiberProcess returns = lingering(fiber, name, "returns");
        FiberProcess throwing = fiber.process(() -> {
            startLingering(name, "throws");
            throw new IOException("disk is full");
        });
        LocalFiber.awaitNotes(notes, 2);

        assertThat(returns.join(Duration.ofSeconds(2))).isEmpty();
        assertThat(throwing.exitCode()).isEmpty();
        LocalFiber.note(notes + "-go", "go");

        assertThat(returns.join()).isZero();
        assertThat(throwing.join()).isEqualTo(1);
        assertThat(throwing.failure().orElseThrow()).hasRootCauseMessage("disk is full");
        assertThat(LocalFiber.notes(notes))
                .containsExactlyInAnyOrder("returns waits", "throws waits", "returns ends", "throws ends");
    }

    @Test
    void processWaitsForNoDaemonAndEndsWithTheCodeThatAThreadGives() {
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcess daemons = fiber.process(() -> {
                Thread daemon = new Thread(
                        () -> LockSupport.parkNanos(Duration.ofHours(1).toNanos()));
                daemon.setDaemon(true);
                daemon.start();
            });
            FiberProcess exits = fiber.process(() -> new Thread(() -> {
                        new Thread(() -> System.exit(7)).start();
                    })
                    .start());

            assertThat(daemons.join()).isZero();
            assertThat(exits.join()).isEqualTo(7);
        }
    }

    @Test
    void processThatWaitsForItsThreadsIsTerminatedAndKilled() {
        Fiber fiber = session.fiber();
        Path notes = tmp.resolve("notes");
        FiberProcess terminated = lingering(fiber, notes.toString(), "terminated");
        FiberProcess killed = lingering(fiber, notes.toString(), "killed");
        LocalFiber.awaitNotes(notes, 2);

        terminated.terminate();
        killed.kill();

        assertThat(terminated.join()).isEqualTo(128 + 15);
        assertThat(killed.join()).isEqualTo(128 + 9);
        assertThat(LocalFiber.notes(notes)).containsExactlyInAnyOrder("terminated waits", "killed waits");
    }

    private static FiberProcess lingering(Fiber fiber, String notes, String name) {
        return fiber.process(() -> startLingering(notes, name));
    }

    /** Starts a thread that lasts until the test says go. */
    private static void startLingering(String notes, String name) {
        new Thread(() -> {
                    LocalFiber.note(notes, name + " waits");
                    while (LocalFiber.notes(Path.of(notes + "-go")).isEmpty()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    LocalFiber.note(notes, name + " ends");
                })
                .start();
    }

    @Test
    void runningProcessShowsWhatItIs() {
        Fiber fiber = session.fiber();
        String notes = tmp.resolve("notes").toString();
        FiberProcess process = fiber.processBuilder(() -> {
                    LocalFiber.note(notes, LocalFiber.pid());
                    LocalFiber.note(notes, System.getenv("COLOUR"));
                    LocalFiber.last(Duration.ofHours(1));
                })
                .name("painter")
                .environment(Map.of("COLOUR", "blue"))
                .start();
        LocalFiber.awaitNotes(Path.of(notes), 2);

        assertThat(process.state()).isEqualTo(ProcessState.RUNNING);
        assertThat(process.isAlive()).isTrue();
        assertThat(process.name()).isEqualTo("painter");
        assertThat(process.isDaemon()).isFalse();
        assertThat(LocalFiber.notes(Path.of(notes)))
                .containsExactly(process.id().orElseThrow(), "blue");
        assertThat(fiber.activeChildren()).containsExactly(process);
        assertThat(process.join(Duration.ofMillis(10))).isEqualTo(OptionalInt.empty());
        assertThat(process.exitCode()).isEmpty();
        assertThat(process.onExit()).isNotDone();

        process.terminate();
        assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);

        assertThat(process.state()).isEqualTo(ProcessState.TERMINATED);
        assertThat(process.isAlive()).isFalse();
        assertThat(fiber.activeChildren()).isEmpty();
        process.terminate();
        process.kill();
        assertThat(process.state()).isEqualTo(ProcessState.TERMINATED);
    }

    @Test
    void terminateRunsShutdownHooksAndKillDoesNot() {
        Fiber fiber = session.fiber();
        String notes = tmp.resolve("notes").toString();
        FiberProcess terminated = waiting(fiber, notes, "terminated");
        FiberProcess killed = waiting(fiber, notes, "killed");
        LocalFiber.awaitNotes(Path.of(notes), 2);

        terminated.terminate();
        killed.kill();

        assertThat(terminated.join()).isEqualTo(128 + 15);
        assertThat(killed.join()).isEqualTo(128 + 9);
        assertThat(killed.state()).isEqualTo(ProcessState.TERMINATED);
        assertThat(LocalFiber.notes(Path.of(notes)))
                .containsExactlyInAnyOrder("runs terminated", "runs killed", "hook terminated");
    }

    private static FiberProcess waiting(Fiber fiber, String notes, String name) {
        return fiber.process(() -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> LocalFiber.note(notes, "hook " + name)));
            LocalFiber.note(notes, "runs " + name);
            LocalFiber.last(Duration.ofHours(1));
        });
    }

    /** A process that ignores the request is killed after the grace. */
    @Test
    void processThatDoesNotEndIsKilledAfterTheGrace() {
        try (Fiber fiber =
                LocalFiber.builder().set("fiber.shutdown-grace", "3s").open()) {
            String notes = tmp.resolve("notes").toString();
            FiberProcess stubborn = fiber.process(() -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    LocalFiber.note(notes, "asked");
                    try {
                        LocalFiber.last(Duration.ofHours(1));
                    } catch (InterruptedException e) {
                        LocalFiber.note(notes, "interrupted");
                    }
                }));
                LocalFiber.note(notes, "runs");
                LocalFiber.last(Duration.ofHours(1));
            });
            LocalFiber.awaitNotes(Path.of(notes), 1);

            stubborn.terminate();

            assertThat(stubborn.onExit()).succeedsWithin(LocalFiber.LIMIT);
            assertThat(stubborn.exitCode()).hasValue(128 + 9);
            assertThat(LocalFiber.notes(Path.of(notes))).containsExactly("runs", "asked");
        }
    }

    @Test
    void processKilledFromOutsideIsLostWithItsCodeAndItsCause() {
        FiberProcess process = session.fiber()
                .processBuilder(() -> LocalFiber.last(Duration.ofHours(1)))
                .name("killed")
                .start();
        assertThat(process.cause()).isEmpty();

        try (LogLines log = LogLines.of("io.fiber", Level.INFO)) {
            Signal.KILL.send(Long.parseLong(process.id().orElseThrow()));

            assertThat(process.join()).isEqualTo(128 + 9);
            assertThat(log.messages())
                    .anySatisfy(message -> assertThat(message)
                            .startsWith("FBR-317 Process 'killed' did not end on its own: signalled (exit code 137)"));
        }
        assertThat(process.state()).isEqualTo(ProcessState.LOST);
        assertThat(process.cause()).hasValue(EndCause.SIGNALLED);
    }

    @Test
    void closeWaitsForProcessesAndEndsDaemons() {
        Path notes = tmp.resolve("notes");
        String name = notes.toString();
        String closing = tmp.resolve("closing").toString();
        FiberProcess daemon;
        FiberProcess worker;
        try (Fiber fiber = LocalFiber.open()) {
            daemon = fiber.processBuilder(() -> {
                        LocalFiber.note(name, "daemon");
                        LocalFiber.last(Duration.ofHours(1));
                    })
                    .daemon()
                    .start();
            worker = fiber.process(() -> {
                LocalFiber.note(name, "began");
                LocalFiber.awaitNotes(Path.of(closing), 1);
                LocalFiber.last(Duration.ofSeconds(1));
                LocalFiber.note(name, "ended");
            });
            assertThat(daemon.isDaemon()).isTrue();
            assertThat(fiber.activeChildren()).containsExactlyInAnyOrder(daemon, worker);
            LocalFiber.awaitNotes(notes, 2);
            LocalFiber.note(closing, "now");
        }

        assertThat(LocalFiber.notes(notes)).containsExactlyInAnyOrder("daemon", "began", "ended");
        assertThat(worker.state()).isEqualTo(ProcessState.EXITED);
        assertThat(daemon.state()).isEqualTo(ProcessState.TERMINATED);
        assertThat(daemon.cause()).hasValue(EndCause.CANCELLED);
        LocalSession.assertGone(Long.parseLong(daemon.id().orElseThrow()));
    }

    @Test
    void activeChildrenAreInTheOrderOfTheirStart() {
        try (Fiber fiber = LocalFiber.open()) {
            List<FiberProcess> started = Stream.generate(
                            () -> fiber.processBuilder(() -> LocalFiber.last(Duration.ofHours(1)))
                                    .daemon()
                                    .start())
                    .limit(3)
                    .toList();
            fiber.processBuilder(() -> {}).preview();

            assertThat(fiber.activeChildren()).isEqualTo(started);
        }
    }

    @Test
    void startFailsWithTheLastLinesOfTheJob() {
        try (Fiber fiber = LocalFiber.builder()
                .set("fiber.worker.jvm-options", "-XX:NoSuchOption")
                .open()) {
            ProcessStartException thrown =
                    catchThrowableOfType(ProcessStartException.class, () -> fiber.process(() -> {}));

            assertThat(thrown.code()).isEqualTo("FBR-310");
            assertThat(thrown)
                    .hasMessageContaining("exit code 1")
                    .hasMessageContaining("Unrecognized VM option 'NoSuchOption'");
            assertThat(thrown.lastLogLines()).anyMatch(line -> line.contains("NoSuchOption"));
            assertThat(fiber.activeChildren()).isEmpty();
        }
    }

    @Test
    void poolOfWorkersThatCannotStartIsBroken() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.jvm-options", "-XX:NoSuchOption")
                        .open();
                Pool pool = fiber.pool(2)) {
            assertThatThrownBy(() -> pool.apply(() -> 1))
                    .hasMessageStartingWith("FBR-403 ")
                    .hasMessageContaining(" workers in a row failed to start; the last one, ")
                    .hasMessageContaining(": exit code 1. Its last lines:\n")
                    .hasMessageContaining("Unrecognized VM option 'NoSuchOption'");
            assertThat(pool.statistics().workersStarted()).isZero();
        }
    }

    @Test
    void poolWhoseJobsAreRefusedTellsWhy() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.java", "/nowhere/bin/java")
                        .open();
                Pool pool = fiber.pool(2)) {
            assertThatThrownBy(() -> pool.apply(() -> 1))
                    .hasMessageStartingWith("FBR-403 ")
                    .hasMessageContaining("' ended: the platform refused its workers: FBR-139 Process '")
                    .hasMessageContaining("/nowhere/bin/java")
                    .hasMessageNotContaining("It wrote no output")
                    .hasMessageNotContaining("..")
                    .cause()
                    .hasMessageContaining(" was not started: ");
            assertThatThrownBy(() -> fiber.process(() -> {}))
                    .hasMessageStartingWith("FBR-310 ")
                    .hasMessageContaining(" was not started: ");
        }
    }

    @Test
    void programThatCannotTravelIsRefused() {
        Fiber fiber = session.fiber();
        Thread captured = Thread.currentThread();

        assertThatThrownBy(() -> fiber.process(() -> captured.interrupt()))
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-201 ");
        assertThat(fiber.activeChildren()).isEmpty();
    }

    @Test
    void outputWithoutNewLineIsKept() {
        FiberProcess process = session.fiber().process(() -> System.out.print("no newline at the end"));

        assertThat(process.join()).isZero();

        await("the last words")
                .atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(process.logs(5)).contains("no newline at the end"));
        assertThat(process.logs(1)).hasSize(1);
        assertThatThrownBy(() -> process.logs(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void builderIsATemplateForMoreProcesses() {
        FiberProcessBuilder builder = session.fiber().processBuilder(() -> {}).name("once");
        FiberProcess first = builder.start();
        FiberProcess second = builder.name("twice").start();

        assertThat(first.join()).isZero();
        assertThat(second.join()).isZero();
        assertThat(first.name()).isEqualTo("once");
        assertThat(second.name()).isEqualTo("twice");
        assertThat(first.id()).isNotEqualTo(second.id());
    }

    @Test
    void startThatIsInterruptedEndsTheProcess() {
        Fiber fiber = session.fiber();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> fiber.process(() -> LocalFiber.last(Duration.ofHours(1))))
                .isInstanceOf(WaitInterruptedException.class);

        assertThat(Thread.interrupted()).isTrue();
        await("its end")
                .atMost(LocalFiber.LIMIT)
                .until(() -> fiber.activeChildren().isEmpty());
    }

    @Test
    void closedSessionStartsNothing() {
        Fiber fiber = LocalFiber.open();
        FiberProcessBuilder builder = fiber.processBuilder(() -> {});
        fiber.close();

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-302 ");
        assertThatThrownBy(() -> fiber.process(() -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-302 ");
    }

    @Test
    void terminatedSessionEndsItsProcesses() {
        Fiber fiber = LocalFiber.open();
        FiberProcess process = fiber.process(() -> LocalFiber.last(Duration.ofHours(1)));
        long pid = Long.parseLong(process.id().orElseThrow());

        fiber.shutdownNow();

        assertThat(process.isAlive()).isFalse();
        assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);
        LocalSession.assertGone(pid);
        fiber.shutdownNow();
        fiber.close();
    }

    @Test
    void processThatNobodyKnowsTheEndOfIsLost() {
        try (Fiber fiber = LocalFiber.builder().set("lease", "2s").open()) {
            FiberProcess process = fiber.process(() -> LocalFiber.last(Duration.ofHours(1)));
            long pid = Long.parseLong(process.id().orElseThrow());

            Signal.STOP.send(pid);

            assertThat(process.onExit()).succeedsWithin(LocalFiber.LIMIT);
            assertThat(process.state()).isEqualTo(ProcessState.LOST);
            assertThatThrownBy(process::join)
                    .isInstanceOf(ProcessLostException.class)
                    .hasMessageStartingWith("FBR-312 ");
            assertThat(process.cause()).hasValue(EndCause.UNKNOWN);
            LocalSession.assertGone(pid);
        }
    }

    @Test
    void closeThatAProcessKeepsNamesTheThreadsOfThat() {
        String end = tmp.resolve("end").toString();
        try (LogLines log = LogLines.of("io.fiber", Level.INFO)) {
            Fiber fiber = LocalFiber.open();
            fiber.process(() -> new Thread(() -> LocalFiber.awaitNotes(Path.of(end), 1), "keeps it").start());
            CompletableFuture<Void> closed = CompletableFuture.runAsync(fiber::close);

            await("a notice")
                    .atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(log.messages())
                            .anySatisfy(message -> assertThat(message)
                                    .startsWith("FBR-409 close() of the session has waited ")
                                    .contains(", which is RUNNING. Its last line: ")
                                    .contains("FBR-315 The program has returned, but its process keeps running"
                                            + " because of non-daemon threads")
                                    .contains("'keeps it' at ")));
            assertThat(closed).isNotDone();
            LocalFiber.note(end, "now");

            assertThat(closed).succeedsWithin(LocalFiber.LIMIT);
        }
    }
}
