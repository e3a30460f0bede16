// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.process.ProcessEnd.Kind;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.spec.EndCause;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The errors of pools whose workers do not start, and of tasks that have lost their workers. */
class LossTest {

    private static final String REFUSAL = "FBR-131 Slurm refused the job: invalid partition. Nothing was started.";
    private static final String RERUN = "If the task may safely run again, raise maxReruns.";
    private static final String MEMORY = "If the task needs more memory, give its workers more (resources); if it may"
            + " safely run again, raise maxReruns.";
    private static final String EXIT =
            "Look for System.exit in the task and in the libraries that it uses: it ends the" + " worker. " + RERUN;

    @Test
    void poolWhoseWorkersAreRefusedTellsWhyOnce() {
        Loss loss = PoolWorld.notStarted("sweep-7", REFUSAL, Kind.REJECTED);

        assertThat(loss.broken("sweep", 1))
                .hasMessage("FBR-403 Pool 'sweep' ended: the platform refused its workers: " + REFUSAL)
                .cause()
                .hasMessage("FBR-310 Process 'sweep-7' was not started: " + REFUSAL);
    }

    @Test
    void brokenPoolTellsHowItsLastWorkerEndedAndWhatItWrote() {
        Loss loss = PoolWorld.loss("sweep-7", "exit code 1", "first", "second");

        assertThat(loss.broken("sweep", 3))
                .hasMessage("FBR-403 Pool 'sweep' ended: 3 workers in a row failed to start; the last one, sweep-7:"
                        + " exit code 1. Its last lines:\n  | first\n  | second")
                .cause()
                .hasMessage("FBR-310 Process 'sweep-7' ended before it had connected: exit code 1."
                        + " Its last lines:\n  | first\n  | second");
    }

    @Test
    void brokenPoolTellsWhatToDoAboutWorkersThatWereNotReadyInTime() {
        Loss loss = PoolWorld.notStarted("sweep-7", "not ready within 60000 ms", Kind.START_LIMIT);

        assertThat(loss.broken("sweep", 3))
                .hasMessageContaining("the last one, sweep-7: not ready within 60000 ms. It wrote no output.")
                .cause()
                .hasMessageStartingWith("FBR-311 Process 'sweep-7' runs but was not ready within 60000 ms. Check ");
    }

    @Test
    void brokenPoolTellsWhatItsInitializerThrew() {
        RemoteTaskException thrown = new RemoteTaskException(
                "The initializer of pool 'sweep' on worker 'sweep-7' threw com.acme.OddException: odd",
                "com.acme.OddException",
                "com.acme.OddException: odd\n\tat com.acme.Task.run(Task.java:7)",
                null);
        Loss loss = PoolWorld.loss("sweep-7", "exit code 71").by(thrown);

        assertThat(loss.broken("sweep", 3))
                .hasMessage("FBR-403 Pool 'sweep' ended: 3 workers in a row failed to start; the last one, sweep-7: its"
                        + " initializer failed: com.acme.OddException: odd.")
                .cause()
                .hasMessage(
                        "FBR-310 Process 'sweep-7' did not start: its initializer failed: com.acme.OddException: odd.")
                .hasCause(thrown);
    }

    @Test
    void missingWorkersAreToldWithOneFullStop() {
        String rest = "\nThe 2 running workers continue. Fiber keeps trying to start the missing ones, and waits"
                + " longer each time.";
        String start = "FBR-407 The last 3 workers of pool 'p' did not start; the last one, p-7: ";

        assertThat(PoolWorld.notStarted("p-7", REFUSAL, Kind.REJECTED).tolerated("p", 3, 2))
                .hasMessage(start + REFUSAL + rest);
        assertThat(PoolWorld.loss("p-7", "the node failed.").tolerated("p", 3, 2))
                .hasMessage(start + "the node failed. It wrote no output." + rest);
        assertThat(PoolWorld.loss("p-7", "exit code 1", "oh").tolerated("p", 3, 2))
                .hasMessage(start + "exit code 1. Its last lines:\n  | oh" + rest);
        assertThat(PoolWorld.loss("p-7", "exit code 1").tolerated("p", 3, 1))
                .hasMessageEndingWith("\nThe one running worker continues. Fiber keeps trying to start the missing"
                        + " ones, and waits longer each time.");
    }

    private static WorkerLostException lost(EndCause cause, int code, String how, String... lines) {
        return lost(cause, code < 0 ? OptionalInt.empty() : OptionalInt.of(code), Kind.ENDED, how, lines);
    }

    private static WorkerLostException lost(EndCause cause, OptionalInt code, Kind kind, String how, String... lines) {
        ProcessEnd end = new ProcessEnd(ProcessState.LOST, code, cause, how, kind);
        return new Loss(new WorkerTitle("p-1"), end.withLastLines(List.of(lines))).of("Task 1", 3);
    }

    @Test
    void taskThatLostItsWorkersIsToldTheirEndAndHasItAsAType() {
        WorkerLostException e = lost(EndCause.EXITED, 7, "exit code 7");

        assertThat(e)
                .hasMessage("FBR-402 Task 1 was started 3 times, and its worker was lost each time; the last one:"
                        + " worker 'p-1', exit code 7. It wrote no output.\n" + EXIT);
        assertThat(e.exitCause()).isEqualTo(EndCause.EXITED);
        assertThat(e.exitCode()).hasValue(7);
        assertThat(e.exitDescription()).isEqualTo("worker 'p-1', exit code 7");
        assertThat(lost(EndCause.UNKNOWN, -1, "connection lost: silent for 20 s")
                        .exitCode())
                .isEmpty();
    }

    @Test
    void adviceFollowsTheCauseAndTheCode() {
        assertThat(lost(EndCause.EXITED, 0, "exit code 0, as the process reported"))
                .hasMessageEndingWith("\n" + EXIT);
        assertThat(lost(EndCause.EXITED, 137, "exit code 137")).hasMessageEndingWith("\n" + MEMORY);
        assertThat(lost(EndCause.EXITED, 143, "exit code 143")).hasMessageEndingWith("\n" + RERUN);
        assertThat(lost(EndCause.EXITED, -1, "exit status 0xC0000005")).hasMessageEndingWith("\n" + RERUN);
        assertThat(lost(EndCause.EXITED, 3, "exit code 3", "java.lang.OutOfMemoryError: Java heap space"))
                .hasMessageEndingWith("\n" + MEMORY);
        assertThat(lost(EndCause.SIGNALLED, 137, "signalled (exit code 137): signal 9"))
                .hasMessageEndingWith("\n" + MEMORY);
        assertThat(lost(EndCause.SIGNALLED, 139, "signalled (exit code 139): signal 11"))
                .hasMessageEndingWith("\n" + RERUN);
        assertThat(lost(EndCause.OUT_OF_MEMORY, -1, "out of memory")).hasMessageEndingWith("\n" + MEMORY);
        assertThat(lost(EndCause.UNKNOWN, -1, "connection lost: silent for 20 s"))
                .hasMessageEndingWith("\n" + MEMORY);
        assertThat(lost(EndCause.UNKNOWN, 9, "unknown: forgotten")).hasMessageEndingWith("\n" + EXIT);
        assertThat(lost(EndCause.SIGNALLED, OptionalInt.of(137), Kind.HALTED, "killed, because its hooks did not end"))
                .hasMessageEndingWith("\n" + RERUN);
    }

    /** The words of a platform, and names, may look like anything. */
    @Test
    void adviceIsNotTakenFromWords() {
        assertThat(lost(EndCause.TIME_LIMIT, 137, "time limit (exit code 137): Slurm ended it."))
                .hasMessageEndingWith("Slurm ended it. It wrote no output.\n" + RERUN);
        assertThat(lost(EndCause.NODE_LOST, -1, "node lost: node memory-7, exit code 3, rebooted."))
                .hasMessageEndingWith("\n" + RERUN);
        assertThat(lost(EndCause.PREEMPTED, 137, "preempted (exit code 137): the node had little memory"))
                .hasMessageEndingWith("\n" + RERUN);
        assertThat(lost(EndCause.OUT_OF_MEMORY, 1, "evicted by the platform")).hasMessageEndingWith("\n" + MEMORY);
    }

    @Test
    void codeOfFiberIsNotTakenForASystemExitOfTheTask() {
        assertThat(Arrays.stream(ExitCode.values())
                        .filter(code -> String.valueOf(lost(EndCause.EXITED, code.code(), "exit code"))
                                .contains("System.exit")))
                .containsExactly(ExitCode.DONE, ExitCode.PROGRAM_FAILED);
        assertThat(lost(EndCause.EXITED, ExitCode.MASTER_LOST.code(), "exit code 75"))
                .hasMessageEndingWith(
                        "\nA worker ends with this code if it has heard nothing from its master for longer"
                                + " than the lease. If the master's host may sleep or pause, raise lease; if the task may"
                                + " safely run again, raise maxReruns.");
    }
}
