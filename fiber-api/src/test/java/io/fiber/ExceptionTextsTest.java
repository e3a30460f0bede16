// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.EndCause;
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
    void otherTextsSayWhatToDo() {
        assertThat(new PoolClosedException("sweep", PoolState.TERMINATED))
                .hasMessage(
                        "FBR-404 Pool 'sweep' is TERMINATED and takes no more tasks; expected RUNNING. Submit before"
                                + " shutdown(), close() or shutdownNow(), or make another pool.");
        assertThat(new WaitInterruptedException("the end of process 'hello'", new InterruptedException()))
                .hasMessage("FBR-303 Interrupted while waiting for the end of process 'hello'.");
    }

    @Test
    void exceptionsTravel() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            WorkerLostException.Exit exit =
                    new WorkerLostException.Exit("exit code 3", EndCause.EXITED, OptionalInt.of(3), List.of("last"));
            out.writeObject(new WorkerLostException("A task was lost.", 1, exit));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isInstanceOfSatisfying(WorkerLostException.class, e -> {
                assertThat(e.lastLogLines()).containsExactly("last");
                assertThat(e.exitCause()).isEqualTo(EndCause.EXITED);
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
