// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.EndCause;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that Slurm has forgotten and the site's books know, on a cluster that keeps books (slurmdbd) and forgets soon
 * (MinJobAge=2). {@link SlurmClusterTest} runs it as the user of the cluster of {@code dev/slurm/up accounting}.
 */
@Tag("soak")
class SlurmBooksKit {

    private static final Duration LIMIT = KitSession.LIMIT;

    @TempDir
    Path directory;

    /** Kills the script of a job, and has Slurm forget it, while a session cannot reach Slurm. */
    private JobTermination endOfForgotten() throws IOException {
        String settings = Files.readString(Path.of(System.getenv("SLURM_CONF")));
        Path configuration = Files.writeString(directory.resolve("slurm.conf"), settings);
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put("SLURM_CONF", configuration.toString());
        try (KitSession session = new KitSession(directory, Map.of(), Environment.of(variables, Map.of()))) {
            Job job = session.start(KitSession.shell("echo here; sleep 600"));
            await().atMost(LIMIT).until(() -> job.logs(5).contains("here"));
            Files.writeString(configuration, settings.replaceAll("(?m)^SlurmctldPort=.*$", "SlurmctldPort=9"));
            Cluster.run("scancel", "--signal=KILL", "--batch", job.id());
            await("forgotten")
                    .atMost(LIMIT)
                    .until(() -> !Cluster.answer("squeue", "-h", "-j", job.id()).isGood());
            Files.writeString(configuration, settings);
            return session.awaitEnd(job);
        }
    }

    @Test
    void endOfAJobThatSlurmHasForgottenIsInTheBooks() throws IOException {
        JobTermination killed = endOfForgotten();

        assertThat(killed.cause()).isEqualTo(EndCause.SIGNALLED);
        assertThat(killed.exitCode()).isEqualTo(OptionalInt.of(137));
        assertThat(killed.detail()).startsWith("signal 9 on ");
    }
}
