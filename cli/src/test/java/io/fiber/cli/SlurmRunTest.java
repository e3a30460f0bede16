// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of {@link ImageRunTest}, from the same jars, as jobs of a real Slurm. */
@Tag("soak")
@Timeout(1_200)
class SlurmRunTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);

    @Test
    void slurmRunsTheSameJarFromAWorkstation() throws Exception {
        List<String> options = new ArrayList<>(TestClusters.slurmBySsh());
        // Its workers in its own job, as on the other clusters, and not as further steps.
        options.addAll(List.of("-e", "FIBER_BACKEND=local"));

        assertRuns(new ProgramRuns(cli, options, ExampleJars.classPath(directory, "first")));
    }

    @Test
    void slurmRunsTheSameJarHere() throws Exception {
        try (SlurmUser user = TestClusters.userOfSlurm()) {
            String classPath = user.copied(ExampleJars.classPath(directory, "first"));

            assertRuns(
                    new ProgramRuns(user.cli(), List.of("--backend", "slurm", "-e", "FIBER_BACKEND=local"), classPath));
        }
    }

    private static void assertRuns(ProgramRuns runs) throws Exception {
        assertThat(TestClusters.squeue()).isBlank();

        runs.assertExitCodeIsPassedOn();
        runs.assertPiIsEstimated();
        runs.assertCtrlCEndsIt(() -> assertThat(TestClusters.squeue()).isNotBlank());

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(TestClusters.squeue()).isBlank());
    }
}
