// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.JobTermination.Cause;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class ExceptionTextsTest {
    private static final String TRACE = "com.acme.OddException: odd\n\tat com.acme.Task.run(Task.java:7)";

    @Test
    void remoteExceptionThatIsHereIsTheCause() {
        IOException original = new IOException("disk full");

        RemoteTaskException e = new RemoteTaskException(
                "Task 7 of pool 'sweep' (call 3, com.acme.Model::score) on worker 'p1-sweep-3' (host n17)"
                        + " threw java.io.IOException: disk full",
                "java.io.IOException",
                "trace",
                original);

        assertThat(e)
                .hasMessage(
                        "FBR-401 Task 7 of pool 'sweep' (call 3, com.acme.Model::score) on worker 'p1-sweep-3' (host"
                                + " n17)"
                                + " threw java.io.IOException: disk full")
                .hasCause(original);
        assertThat(e.remoteType()).isEqualTo("java.io.IOException");
    }

    @Test
    void remoteExceptionThatIsNotHereIsTold() {
        RemoteTaskException e = new RemoteTaskException(
                "A task threw com.acme.OddException: odd", "com.acme.OddException", TRACE, null);

        assertThat(e)
                .hasMessage("FBR-401 A task threw com.acme.OddException: odd\nRemote stack trace: " + TRACE)
                .hasNoCause();
        assertThat(e.remoteStackTrace()).isEqualTo(TRACE);
        assertThat(e.code()).isEqualTo("FBR-401");
    }

    @Test
    void lostWorkerTellsAttemptsExitAndOutput() {
        WorkerLostException e = new WorkerLostException(
                "Task 7 of pool 'sweep' (call 3, com.acme.Model::score)",
                3,
                new WorkerLostException.Exit(
                        "worker 'p1-sweep-3' (host n17), out of memory (exit code 137)",
                        Cause.OUT_OF_MEMORY,
                        OptionalInt.of(137),
                        List.of("first", "second")),
                "Give its workers more memory.");

        assertThat(e)
                .hasMessage(
                        "FBR-402 Task 7 of pool 'sweep' (call 3, com.acme.Model::score) was started 3 times, and its"
                                + " worker"
                                + " was lost each time; the last one: worker 'p1-sweep-3' (host n17), out of memory"
                                + " (exit"
                                + " code 137). Its last lines:\n  | first\n  | second\nGive its workers more memory.");
        assertThat(e.attempts()).isEqualTo(3);
    }

    @Test
    void jobThatWasNotStartedWroteNothing() {
        String why = "FBR-131 Slurm refused the job: bad. Nothing was started.";
        ProcessStartException refused = ProcessStartException.notStarted("sweep-7", why, List.of());

        assertThat(refused).hasMessage("FBR-310 Process 'sweep-7' was not started: " + why);
        assertThat(ProcessStartException.notStarted("p", "start failed: no image", List.of("oh")))
                .hasMessage("FBR-310 Process 'p' was not started: start failed: no image. Its last lines:\n  | oh");
        assertThat(new PoolBrokenException("sweep", 3, List.of(), refused))
                .hasMessage("FBR-403 Pool 'sweep' ended: 3 workers in a row failed to start; the last one, sweep-7: "
                        + why);
    }

    @Test
    void startThatFailedTellsTheOutput() {
        assertThat(ProcessStartException.ended("hello", "exit code 1", List.of("no such class"), null))
                .hasMessage("FBR-310 Process 'hello' ended before it had connected: exit code 1."
                        + " Its last lines:\n  | no such class");
        assertThat(ProcessStartException.timedOut("hello", "not ready within 60000 ms", List.of()))
                .hasMessage(
                        "FBR-311 Process 'hello' runs but was not ready within 60000 ms. Check that it can reach this"
                                + " machine (firewall, advertised address), and how long its initializer takes, if it"
                                + " has"
                                + " one; or raise start-limit. It wrote no output.");
    }

    @Test
    void startThatFailedByTheInitializerTellsWhatThatThrew() {
        RemoteTaskException thrown = new RemoteTaskException(
                "The initializer of pool 'sweep' on worker 'sweep-7' threw com.acme.OddException: odd",
                "com.acme.OddException",
                TRACE,
                null);

        ProcessStartException start = ProcessStartException.ended("sweep-7", "exit code 71", List.of(), thrown);

        assertThat(start)
                .hasMessage(
                        "FBR-310 Process 'sweep-7' did not start: its initializer failed: com.acme.OddException: odd.")
                .hasCause(thrown);
        assertThat(new PoolBrokenException("sweep", 3, List.of(), start))
                .hasMessage("FBR-403 Pool 'sweep' ended: 3 workers in a row failed to start; the last one, sweep-7: its"
                        + " initializer failed: com.acme.OddException: odd.");
    }

    @Test
    void deadlineTellsWhatToDo() {
        assertThat(TaskTimeoutException.interrupted("Task 7"))
                .hasMessage(
                        "FBR-483 Task 7 ran longer than its deadline and was interrupted. Raise the deadline, or give"
                                + " the task less to do.");
    }

    @Test
    void otherTextsSayWhatToDo() {
        assertThat(new ProcessLostException("hello", "its machine is gone", List.of()))
                .hasMessage("FBR-312 Process 'hello' has no exit code: its machine is gone. It wrote no output.");
        assertThat(new ProcessLostException("hello", "its machine is gone.", List.of()))
                .hasMessage("FBR-312 Process 'hello' has no exit code: its machine is gone. It wrote no output.");
        assertThat(new PoolClosedException("sweep", PoolState.TERMINATED))
                .hasMessage(
                        "FBR-404 Pool 'sweep' is TERMINATED and takes no more tasks; expected RUNNING. Submit before"
                                + " shutdown(), close() or terminate(), or make another pool.");
        assertThat(new PoolBrokenException("sweep", 5, List.of("boom"), null))
                .hasMessage(
                        "FBR-403 Pool 'sweep' ended: 5 workers in a row failed to start. Its last lines:\n  | boom");
        assertThat(new PoolBrokenException(
                        "sweep", 5, List.of(), ProcessStartException.ended("sweep-7", "exit code 1", List.of(), null)))
                .hasMessage("FBR-403 Pool 'sweep' ended: 5 workers in a row failed to start; the last one, sweep-7:"
                        + " exit code 1. It wrote no output.");
        assertThat(new WaitInterruptedException("the end of process 'hello'", new InterruptedException()))
                .hasMessage("FBR-303 Interrupted while waiting for the end of process 'hello'.");
    }

    @Test
    void exceptionsTravel() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            WorkerLostException.Exit exit =
                    new WorkerLostException.Exit("exit code 3", Cause.EXITED, OptionalInt.of(3), List.of("last"));
            out.writeObject(new WorkerLostException("A task", 1, exit, "Try again."));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isInstanceOfSatisfying(WorkerLostException.class, e -> {
                assertThat(e.lastLogLines()).containsExactly("last");
                assertThat(e.exitCause()).isEqualTo(Cause.EXITED);
                assertThat(e.exitCode()).hasValue(3);
            });
        }
    }

    @Test
    void statesFromExitedOnAreFinal() {
        assertThat(ProcessState.values())
                .filteredOn(ProcessState::isFinal)
                .containsExactly(ProcessState.EXITED, ProcessState.FAILED, ProcessState.TERMINATED, ProcessState.LOST);
    }
}
