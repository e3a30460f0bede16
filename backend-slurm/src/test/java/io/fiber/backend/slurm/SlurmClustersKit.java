// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spec.EndCause;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site with two clusters. {@link SlurmClusterTest} runs it as the user of the first one, in the mode 'accounting'. */
@Tag("soak")
class SlurmClustersKit {

    private static final String SECOND = "fiber-second";

    @TempDir
    Path directory;

    private static Environment with(String variable, String value) {
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return name.equals(variable)
                        ? Optional.of(value)
                        : Environment.system().variable(name);
            }

            @Override
            public Optional<String> property(String name) {
                return Environment.system().property(name);
            }
        };
    }

    private static String names(String cluster) {
        return Cluster.run("squeue", "-M", cluster, "-h", "-o", "%j");
    }

    private static void assertIsOnTheSecond(KitSession session) {
        Job job = session.start(KitSession.shell("exec sleep 600"));
        session.awaitRunning(job);
        assertThat(names(SECOND)).contains("fiber-" + session.sessionId() + "-0");
        assertThat(names("fiber-accounting")).doesNotContain(session.sessionId());

        job.cancel(Duration.ofSeconds(5));
        assertThat(session.awaitEnd(job).cause()).isEqualTo(EndCause.CANCELLED);
        await("the end on the other cluster")
                .atMost(KitSession.LIMIT)
                .until(() -> !names(SECOND).contains(session.sessionId()));
    }

    @Test
    void jobsAreOnTheClusterOfTheOption() {
        try (KitSession session = new KitSession(directory, Map.of("cluster", SECOND))) {
            assertIsOnTheSecond(session);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SBATCH_CLUSTERS", "SLURM_CLUSTERS"})
    void jobsAreOnTheClusterThatSbatchWouldTake(String variable) {
        try (KitSession session = new KitSession(directory, Map.of(), with(variable, SECOND))) {
            assertIsOnTheSecond(session);
        }
    }

    @Test
    void jobsAreOnTheClusterOfTheOptionWhateverAVariableSays() {
        try (KitSession session =
                new KitSession(directory, Map.of("cluster", SECOND), with("SBATCH_CLUSTERS", "fiber-accounting"))) {
            assertIsOnTheSecond(session);
        }
    }

    @Test
    void poolRunsOnTheOtherCluster() {
        try (Fiber fiber = KitFiber.builder().set("fiber.slurm.cluster", SECOND).open();
                Pool pool = fiber.pool(2)) {
            assertThat(pool.map(x -> System.getenv("SLURM_CLUSTER_NAME"), IntStream.range(0, 4)))
                    .isEqualTo(List.of(SECOND, SECOND, SECOND, SECOND));
        }
    }

    @Test
    void severalClustersAndUnknownOnesAreRefused() {
        assertThatThrownBy(() ->
                        new KitSession(directory, Map.of(), with("SBATCH_CLUSTERS", "fiber-accounting," + SECOND)))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith(
                        "FBR-135 The variable SBATCH_CLUSTERS is 'fiber-accounting,fiber-second'; expected"
                                + " the name of one cluster");
        assertThatThrownBy(() -> new KitSession(directory, Map.of("cluster", "nope")))
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-135 Option 'fiber.slurm.cluster'")
                .hasMessageContaining("is 'nope', which Slurm does not find: ")
                .hasMessageContaining("No cluster 'nope' known by database.");
    }
}
