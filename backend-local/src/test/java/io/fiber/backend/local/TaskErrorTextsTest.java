// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.Retry;
import io.fiber.TaskTimeoutException;
import io.fiber.WorkerLostException;
import io.fiber.function.RemoteFunction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The error of a task names the pool, the call, its function, the worker and the worker's host. */
@Tag("slow")
class TaskErrorTextsTest {

    private static final String HERE = TaskErrorTextsTest.class.getName();
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private static int score(int item) throws IOException {
        if (item == 7) {
            throw new IOException("disk full");
        }
        return item;
    }

    private static int end(int item) {
        if (item == 7) {
            Runtime.getRuntime().halt(3);
        }
        return item;
    }

    private static int waitForEver(int item) throws InterruptedException {
        if (item == 7) {
            new CountDownLatch(1).await();
        }
        return item;
    }

    private static int goOnForEver(int item) {
        while (item == 7) {
            Thread.onSpinWait();
        }
        return item;
    }

    private static Pool sweep(Fiber fiber) {
        return fiber.poolBuilder(1).name("sweep").build();
    }

    @Test
    void taskThatThrew() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = sweep(fiber)) {
            assertThatThrownBy(() -> pool.map(TaskErrorTextsTest::score, IntStream.range(0, 20)))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessage("FBR-401 Task 7 of pool 'sweep' (call 1, " + HERE + "::score) on worker 'p1-sweep-1'"
                            + " (host localhost) threw java.io.IOException: disk full");
            assertThatThrownBy(() -> pool.apply(TaskErrorTextsTest::score, 7))
                    .hasMessage("FBR-401 A task of pool 'sweep' (call 2, " + HERE + "::score) on worker 'p1-sweep-1'"
                            + " (host localhost) threw java.io.IOException: disk full");
            assertThatThrownBy(
                            () -> pool.applyAsync(TaskErrorTextsTest::score, 7).join())
                    .hasMessageContaining("FBR-401 A task of pool 'sweep' (call 3, " + HERE + "::score) on worker ");
            try (Stream<Integer> results = pool.imap((Integer item) -> score(item), List.of(1, 7))) {
                assertThatThrownBy(results::toList)
                        .hasMessage("FBR-401 Task 1 of pool 'sweep' (call 4, a lambda in " + HERE + ".taskThatThrew) on"
                                + " worker 'p1-sweep-1' (host localhost) threw java.io.IOException: disk full");
            }
        }
    }

    @Test
    void triesThatThrewAlikeAreToldOnce() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = sweep(fiber)) {
            CallOptions retried = CallOptions.defaults().retry(Retry.times(3).backOff(Duration.ofMillis(1)));

            RemoteTaskException thrown = catchThrowableOfType(
                    RemoteTaskException.class, () -> pool.with(retried).map(TaskErrorTextsTest::score, List.of(7)));

            assertThat(thrown)
                    .hasMessage("FBR-401 Task 0 of pool 'sweep' (call 1, " + HERE + "::score), tried 4 times, the last"
                            + " time on worker 'p1-sweep-1' (host localhost), threw java.io.IOException: disk full")
                    .hasNoSuppressedExceptions();
        }
    }

    @Test
    void taskWhoseWorkersWereLost() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = sweep(fiber)) {
            String call = "FBR-402 Task 7 of pool 'sweep' (call 1, " + HERE + "::end) was started ";
            assertThatThrownBy(() -> pool.map(TaskErrorTextsTest::end, IntStream.range(0, 20)))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessage(call + "3 times, and its worker was lost each time; the last one: worker 'p1-sweep-3'"
                            + " (host localhost), exit code 3. It wrote no output.\nLook for System.exit in the task"
                            + " and in the libraries that it uses: it ends the worker. If the task may safely run"
                            + " again, raise maxReruns.");
            assertThatThrownBy(
                            () -> pool.with(CallOptions.defaults().maxReruns(0)).apply(TaskErrorTextsTest::end, 7))
                    .hasMessageStartingWith(
                            "FBR-402 A task of pool 'sweep' (call 2, " + HERE + "::end) was started once,"
                                    + " and its worker was lost: worker 'p1-sweep-4' (host localhost), exit code 3."
                                    + " It wrote no"
                                    + " output.\n");
        }
    }

    @Test
    void taskThatRanLongerThanItsDeadline() {
        assertThatItRanTooLong(
                "60s",
                TaskErrorTextsTest::waitForEver,
                "waitForEver) on worker 'p1-sweep-1' (host localhost) ran longer than its deadline and was interrupted."
                        + " Raise the deadline, or give the task less to do.");
        assertThatItRanTooLong(
                "200ms",
                TaskErrorTextsTest::goOnForEver,
                "goOnForEver) on worker 'p1-sweep-1' (host localhost) ran longer than its deadline and did not stop"
                        + " when it was interrupted, so its worker was ended. Raise the deadline, or have the task"
                        + " end when"
                        + " Thread.interrupted() is true.");
    }

    private static void assertThatItRanTooLong(String grace, RemoteFunction<Integer, Integer> task, String end) {
        try (Fiber fiber = LocalFiber.builder().set("shutdown-grace", grace).open();
                Pool pool = sweep(fiber)) {
            CallOptions deadline = CallOptions.defaults().deadline(DEADLINE);
            assertThatThrownBy(() -> pool.with(deadline).map(task, List.of(7)))
                    .isInstanceOf(TaskTimeoutException.class)
                    .hasMessage("FBR-483 Task 0 of pool 'sweep' (call 1, " + HERE + "::" + end);
        }
    }
}
