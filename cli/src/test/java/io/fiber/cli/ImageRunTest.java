// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs with workers, run on the real clusters from images that are made of their class path. */
@Tag("soak")
@Timeout(1_200)
class ImageRunTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);

    @Test
    void kubernetesRunsAnImageOfTheClassPath() throws Exception {
        Cli beside = TestClusters.besideKubernetes(cli);
        try (Registry registry = Registry.start(directory, Optional.empty(), TestClusters.inside("kubernetes"))) {
            assertRunsFromAnImage(
                    beside,
                    new Images(registry, "kubernetes"),
                    () -> TestClusters.kubectl(
                            "get", "pods,secrets", "-l", "io.fiber.session", "--ignore-not-found", "-o", "name"));
        }
    }

    @Test
    void dockerRunsAnImageOfTheClassPath() throws Exception {
        Cli beside = TestClusters.besideDocker(cli);
        try (Registry registry = Registry.start(directory, Optional.empty(), TestClusters.inside("docker"))) {
            assertRunsFromAnImage(
                    beside,
                    new Images(registry, "docker"),
                    () -> TestClusters.docker("ps", "-aq", "--filter", "label=io.fiber.session"));
        }
    }

    /** Where images go, and who runs them. */
    private record Images(Registry registry, String backend) {

        List<String> options() throws Exception {
            return List.of(
                    "--backend",
                    backend,
                    "--image",
                    "tar://" + TestClusters.imageWithJre(),
                    "--push-image",
                    registry.repository("app"));
        }
    }

    /** The jobs that are there, as the cluster itself tells of them, are none before and none afterwards. */
    private void assertRunsFromAnImage(Cli plain, Images images, Callable<String> jobs) throws Exception {
        Cli caching = plain.with("XDG_CACHE_HOME", directory.resolve("cache").toString());
        ProgramRuns runs = new ProgramRuns(caching, images.options(), ExampleJars.classPath(directory, "first"));
        assertThat(jobs.call()).isBlank();

        runs.assertExitCodeIsPassedOn();
        long sent = images.registry().blobsWritten();
        runs.assertPiIsEstimated();
        assertThat(images.registry().blobsWritten())
                .as("blobs sent for the same class path")
                .isEqualTo(sent + 1);
        runs.assertPiIsEstimated();
        assertThat(images.registry().blobsWritten()).isEqualTo(sent + 1);

        ProgramRuns changed = new ProgramRuns(caching, images.options(), ExampleJars.classPath(directory, "second"));
        changed.assertPiIsEstimated();
        // The application's layer and the description of the image.
        assertThat(images.registry().blobsWritten()).isEqualTo(sent + 3);

        changed.assertCtrlCEndsIt(() -> {});
        await().atMost(LIMIT).untilAsserted(() -> assertThat(jobs.call()).isBlank());
    }
}
