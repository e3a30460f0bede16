// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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

    private StepRun run(String script, String said) throws IOException {
        return run(script, said, Optional.empty());
    }

    private StepRun run(String script, String said, Optional<Duration> limit) throws IOException {
        Path errors = directory.resolve("errors");
        Files.writeString(errors, said);
        return StepRun.of(new ProcessBuilder("/bin/sh", "-c", script).start(), errors, limit);
    }

    @ParameterizedTest
    @CsvSource({
        "0, '', COMPLETED",
        "9, 'srun: error: n1: task 0: Exited with exit code 9', FAILED",
        "137, 'srun: error: n1: task 0: Killed / srun: Force Terminated StepId=234.6', FAILED",
        "137, 'srun: Job step aborted: Waiting up to 7 seconds for job step to finish.', CANCELLED",
        "1, 'srun: error: Unable to create step for job 234: Memory required by task is not available', REFUSED",
        "137, 'srun: error: n1: task 0: Out Of Memory', OUT_OF_MEMORY",
    })
    void wayToTheEndIsRead(int code, String said, String state) throws Exception {
        StepRun run = run("exit " + code, said);
        run.process().waitFor();

        QueueRow row = run.row("234.x_0");
        assertThat(row.state()).isEqualTo(state);
        assertThat(row.isEnded()).isTrue();
        assertThat(row.exitCode()).isEqualTo(code);
    }

    /** As seen: srun does not say why. */
    @Test
    void stepThatHasLastedAsLongAsItMayWasEndedForThat() throws Exception {
        String said = "srun: error: n1: task 0: Exited with exit code 143";
        StepRun run = run("sleep 0.1; exit 143", said, Optional.of(Duration.ofMillis(100)));
        run.process().waitFor();
        assertThat(run.row("234.x_0").state()).isEqualTo("TIMEOUT");

        StepRun other = run("exit 143", said, Optional.of(Duration.ofDays(1)));
        other.process().waitFor();
        assertThat(other.row("234.x_0").state()).isEqualTo("FAILED");
    }

    /** A srun that waits for room lives as long as that takes. */
    @ParameterizedTest
    @CsvSource({
        "1, 'srun: error: Unable to create step for job 234: Job/step already completing or completed', REFUSED",
        "137, 'srun: error: n1: task 0: Out Of Memory', OUT_OF_MEMORY",
        "1, 'srun: error: Node failure on n1', NODE_FAIL",
        "143, 'srun: Job step aborted: Waiting up to 32 seconds for job step to finish.', TIMEOUT",
    })
    void whatSrunSaysCountsBeforeTheTimeThatHasPassed(int code, String said, String state) throws Exception {
        StepRun run = run("exit " + code, said, Optional.of(Duration.ZERO));
        run.process().waitFor();
        assertThat(run.row("234.x_0").state()).isEqualTo(state);
    }

    @Test
    void stepThatWaitsForOthersWaitsAndThenRuns() throws IOException {
        StepRun run = run("sleep 600", "");
        try {
            assertThat(run.row("x")).matches(row -> !row.isWaiting() && !row.isRunning() && !row.isEnded());
            Files.writeString(run.errors(), BUSY);
            assertThat(run.row("x").isWaiting()).isTrue();
            Files.writeString(run.errors(), BUSY + "\nsrun: Step created for job 234\n");
            assertThat(run.row("x").isRunning()).isTrue();
        } finally {
            run.process().destroyForcibly();
        }
    }
}
