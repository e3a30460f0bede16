// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
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
