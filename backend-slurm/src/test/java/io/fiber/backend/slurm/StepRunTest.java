// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.BatchState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What srun of Slurm 22.05 says, in its own words. */
class StepRunTest {

    private static final String BUSY =
            "srun: Job 234 step creation temporarily disabled, retrying (Requested nodes are busy)";

    @TempDir
    Path directory;

    private static Process shell(String script) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", script).start();
    }

    private StepRun run(Process process, String said) throws IOException {
        return new StepRun(process, errors(said), Optional.empty(), System::nanoTime);
    }

    private Path errors(String said) throws IOException {
        return Files.writeString(directory.resolve("errors"), said);
    }

    /** Returns one that has ended, of a step that might last a minute. */
    private StepRun ended(int code, String said, Duration life) throws IOException {
        AtomicLong clock = new AtomicLong();
        StepRun run = new StepRun(new EndedProcess(code), errors(said), Optional.of(Duration.ofMinutes(1)), clock::get);
        clock.addAndGet(life.toNanos());
        return run;
    }

    /** Has ended; but the pool from which that is told to others is never free. */
    private static final class EndedProcess extends Process {
        private final int code;

        EndedProcess(int code) {
            this.code = code;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return code;
        }

        @Override
        public int exitValue() {
            return code;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return new CompletableFuture<>();
        }

        @Override
        public void destroy() {}
    }

    @ParameterizedTest
    @CsvSource({
        "0, '', COMPLETED",
        "9, 'srun: error: n1: task 0: Exited with exit code 9', FAILED",
        "137, 'srun: error: n1: task 0: Killed / srun: Force Terminated StepId=234.6', FAILED",
        "137, 'srun: Job step aborted: Waiting up to 7 seconds for job step to finish.', CANCELLED",
        "1, 'srun: error: Unable to create step for job 234: Memory required by task is not available', REFUSED",
        "137, 'srun: error: n1: task 0: Out Of Memory', OUT_OF_MEMORY",
        "1, 'srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 15', ALLOCATION_ENDED",
    })
    void wayToTheEndIsRead(int code, String said, String state) throws Exception {
        Process srun = shell("exit " + code);
        srun.waitFor();

        QueueRow row = run(srun, said).row("234.x_0");
        assertThat(row.state()).isEqualTo(state);
        assertThat(row.isEnded()).isTrue();
        assertThat(row.exitCode()).isEqualTo(code);
    }

    /** As seen: srun does not say why. */
    @Test
    void stepThatHasLastedAsLongAsItMayWasEndedForThat() throws IOException {
        String said = "srun: error: n1: task 0: Exited with exit code 143";

        assertThat(ended(143, said, Duration.ofMinutes(1)).row("234.x_0").state())
                .isEqualTo("TIMEOUT");
        assertThat(ended(143, said, Duration.ofSeconds(59)).row("234.x_0").state())
                .isEqualTo("FAILED");
    }

    @Test
    void lifeOfSrunIsOverWhenItsEndIsFirstSeen() throws IOException {
        AtomicLong clock = new AtomicLong();
        StepRun run = new StepRun(new EndedProcess(143), errors(""), Optional.of(Duration.ofNanos(10)), clock::get);
        assertThat(run.row("234.x_0").state()).isEqualTo("FAILED");

        clock.set(10);
        assertThat(run.row("234.x_0").state()).isEqualTo("FAILED");
    }

    @Test
    void endIsToldThoughTheCommonPoolIsBusy() throws Exception {
        StepRun run = ended(143, "", Duration.ofMinutes(1));
        CountDownLatch told = new CountDownLatch(1);
        run.whenEnded(told::countDown);

        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(run.row("234.x_0").state()).isEqualTo("TIMEOUT");
    }

    @Test
    void endOfASrunThatIsLeftIsToldToNobody() throws IOException {
        Process srun = shell("exec sleep 600");
        StepRun run = run(srun, "");
        AtomicBoolean isTold = new AtomicBoolean();
        try {
            Thread waiter = waiterOf(run, () -> isTold.set(true));
            run.leave();

            await().atMost(Duration.ofSeconds(30)).until(() -> !waiter.isAlive());
            assertThat(isTold).isFalse();
            assertThat(srun.isAlive()).isTrue();
            assertThat(directory.resolve("errors")).doesNotExist();
        } finally {
            srun.destroyForcibly();
        }
    }

    private static Thread waiterOf(StepRun run, Runnable told) {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        run.whenEnded(told);
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.getName().equals("fiber-slurm-srun"))
                .findFirst()
                .orElseThrow();
    }

    /** A srun that waits for room lives as long as that takes. */
    @ParameterizedTest
    @CsvSource({
        "0, '', COMPLETED",
        "1, 'srun: error: Unable to create step for job 234: Job/step already completing or completed', REFUSED",
        "137, 'srun: error: n1: task 0: Out Of Memory', OUT_OF_MEMORY",
        "1, 'srun: error: Node failure on n1', NODE_FAIL",
        "143, 'srun: Job step aborted: Waiting up to 32 seconds for job step to finish.', TIMEOUT",
        "0, 'srun: Job step aborted: Waiting up to 32 seconds for job step to finish.', TIMEOUT",
    })
    void whatSrunSaysCountsBeforeTheTimeThatHasPassed(int code, String said, String state) throws IOException {
        assertThat(ended(code, said, Duration.ofDays(1)).row("234.x_0").state()).isEqualTo(state);
    }

    /** As seen: for its first minute a srun that finds no room says nothing. */
    @Test
    void stepThatIsNotListedWaitsAndIsGivenUpAfterAMinute() throws Exception {
        Process srun = shell("exec sleep 600");
        AtomicLong clock = new AtomicLong();
        StepRun run = new StepRun(srun, errors(""), Optional.empty(), clock::get);
        try {
            assertThat(run.isInDoubt()).isFalse();
            clock.addAndGet(Duration.ofSeconds(3).toNanos());
            assertThat(run.isInDoubt()).isTrue();

            run.listed(false);
            assertThat(run.row("x").meaning())
                    .isInstanceOfSatisfying(
                            BatchState.Waiting.class,
                            waiting -> assertThat(waiting.reason())
                                    .startsWith("StepsBusy: other steps hold the tasks of this allocation"));
            clock.addAndGet(Duration.ofSeconds(57).toNanos());
            run.listed(false);
            assertThat(srun.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            srun.destroyForcibly();
        }
        assertThat(run.row("x").meaning())
                .isInstanceOfSatisfying(
                        BatchState.Ended.class,
                        end -> assertThat(end.termination().detail())
                                .isEqualTo(
                                        "FBR-137 srun could not make a step on this job's allocation: it has waited for"
                                                + " 60 s for room that other steps of the job hold. Ask for less, or set"
                                                + " fiber.slurm.steps=false to have workers as new jobs."));
    }

    @Test
    void stepThatIsListedIsNotLookedForAgain() throws Exception {
        Process srun = shell("exec sleep 600");
        AtomicLong clock = new AtomicLong();
        StepRun run = new StepRun(srun, errors(""), Optional.empty(), clock::get);
        try {
            clock.addAndGet(Duration.ofMinutes(2).toNanos());
            run.listed(false);
            run.listed(true);

            assertThat(run.isInDoubt()).isFalse();
            assertThat(run.row("x").meaning()).isInstanceOf(BatchState.Changing.class);
        } finally {
            srun.destroyForcibly();
        }
    }

    @Test
    void stepThatWaitsForOthersWaitsAndThenRuns() throws IOException {
        Process srun = shell("sleep 600");
        StepRun run = run(srun, "");
        try {
            assertThat(run.row("x").meaning()).isInstanceOf(BatchState.Changing.class);
            errors(BUSY);
            assertThat(run.row("x").meaning()).isInstanceOf(BatchState.Waiting.class);
            errors(BUSY + "\nsrun: Step created for job 234\n");
            assertThat(run.row("x").meaning()).isInstanceOf(BatchState.Running.class);
        } finally {
            srun.destroyForcibly();
        }
    }
}
