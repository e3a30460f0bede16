// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command on the clusters that {@code dev/docker/up} and {@code dev/slurm/up} have started. */
@Timeout(600)
class ClusterRunTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Cli cli = Cli.in(Path.of(""));
    private String classes = "";

    @BeforeEach
    void inAnEmptyDirectory() throws Exception {
        cli = Cli.in(directory);
        classes = Path.of(Program.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    @Test
    void aContainerRunsAProgramWhoseClassPathIsSentToIt() throws Exception {
        Path socket = state("docker").resolve("docker.sock");
        assumeTrue(Files.exists(socket), "no engine of dev/docker/up is up");
        Cli beside = cli.with("DOCKER_HOST", "unix://" + socket)
                .startedBy("nsenter", "--net=/run/netns/fiber-docker" + number("docker"));

        Cli.Result result = beside.run(
                "run",
                "--backend",
                "docker",
                "--image",
                "fiber-test:jre",
                "--env",
                "SEED=4 2",
                "--",
                "java",
                "-cp",
                classes,
                Program.class.getName(),
                "7",
                "a b");

        assertThat(result.out().lines()).contains("arguments [7, a b]", "seed 4 2");
        assertThat(result.err()).contains("a complaint", " runs on ");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void slurmRunsAProgramThatIsSubmittedFromAWorkstation() throws Exception {
        Path config = state("slurm").resolve("simple/ssh/config");
        assumeTrue(
                "root".equals(System.getProperty("user.name")) && Files.exists(config),
                "no cluster of dev/slurm/up simple is up, or its keys are not this user's");

        Cli.Result result = cli.run(
                "run",
                "--backend",
                "slurm",
                "-s",
                "slurm.ssh-host=login",
                "-s",
                "slurm.ssh-config=" + config,
                "--env",
                "SEED=4 2",
                "--",
                "java",
                "-cp",
                classes,
                Program.class.getName(),
                "7",
                "a b");

        assertThat(result.out().lines()).contains("arguments [7, a b]", "seed 4 2");
        assertThat(result.err()).contains("a complaint", " runs on ");
        assertThat(result.code()).isEqualTo(7);
    }

    private static String number(String kind) {
        return Optional.ofNullable(System.getenv(kind.equals("docker") ? "TEST_DOCKER_NUMBER" : "TEST_SLURM_NUMBER"))
                .filter(digit -> !digit.equals("0"))
                .orElse("");
    }

    private static Path state(String kind) {
        String variable = kind.equals("docker") ? "TEST_DOCKER_STATE" : "TEST_SLURM_STATE";
        return Path.of(Optional.ofNullable(System.getenv(variable)).orElse("/var/tmp/fiber-" + kind + number(kind)));
    }
}
