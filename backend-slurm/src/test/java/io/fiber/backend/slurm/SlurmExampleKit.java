// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/slurm.md shows, as it stands there. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmExampleKit {

    /** Of ten million samples; 3.13 and 3.15 are at least 16 standard deviations away. */
    static final Pattern ESTIMATE = Pattern.compile("(?m)^Pi is roughly 3\\.1[34]");

    @TempDir
    Path directory;

    @BeforeEach
    void layOut() throws IOException {
        Manual.layOut(directory);
    }

    @Test
    void scriptOfTheManualEstimatesPi() throws IOException {
        Files.writeString(directory.resolve("pi.sh"), Manual.snippet(Manual.JOB));

        Cluster.runJob(directory, "--output=pi.out", "pi.sh");

        assertThat(Files.readAllLines(directory.resolve("pi.out")))
                .as("what the job wrote")
                .anyMatch(line -> ESTIMATE.matcher(line).find());
    }

    /** Its time is over before its work is done, so that it comes to its end in several starts. */
    @Test
    @Tag("soak")
    void scriptOfTheManualGoesOnAfterItsTimeLimit() throws IOException {
        Files.writeString(directory.resolve("sweep.sh"), Manual.snippet(Manual.REQUEUED_JOB));

        String id = Cluster.run(
                        "env",
                        "-C",
                        directory.toString(),
                        "FIBER_START_LIMIT=" + KitFiber.START_LIMIT,
                        "FIBER_CDS=false",
                        "sbatch",
                        "--parsable",
                        "--time=2",
                        "--mem-per-cpu=900",
                        "--output=sweep.out",
                        "sweep.sh")
                .strip();

        await("the end of job " + id)
                .atMost(Duration.ofMinutes(15))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> List.of("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED")
                        .contains(Cluster.run("squeue", "-h", "-t", "all", "-j", id, "-o", "%T")
                                .strip()));
        String output = Files.readString(directory.resolve("sweep.out"));
        assertThat(Cluster.run("scontrol", "-o", "show", "job", id))
                .as(output)
                .contains(" JobState=COMPLETED ")
                .containsPattern(" Restarts=[1-9]");
        assertThat(output).contains("Stopping: no more tasks start", "wrote 140 scores to sweep.csv");
        assertThat(directory.resolve("sweep.csv")).exists();
    }

    @Test
    void commandOfTheManualEstimatesPiFromALoginNode() throws IOException {
        String command = Manual.snippet(Manual.ON_A_LOGIN_NODE).replace("PARTITION=long", "PARTITION=debug");

        String output = Cluster.run(
                "env",
                "-C",
                directory.toString(),
                "FIBER_SLURM_DIRECTORY=" + directory.resolve("shared"),
                "FIBER_SLURM_MEMORY=128m",
                "FIBER_START_LIMIT=" + KitFiber.START_LIMIT,
                "bash",
                "-c",
                command);

        assertThat(output).containsPattern(ESTIMATE);
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }
}
