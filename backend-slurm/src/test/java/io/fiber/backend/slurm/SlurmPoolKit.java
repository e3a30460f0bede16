// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.PoolActivity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a user on a real cluster. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmPoolKit {

    @TempDir
    Path directory;

    static String host(int number) {
        return number + " " + ProcessHandle.current().pid();
    }

    private FiberBuilder builder() {
        return KitFiber.builderIn(directory.resolve("shared"));
    }

    @Test
    void poolMapsOnTheClusterAndLeavesNothing() {
        try (Fiber fiber = builder().open();
                Pool pool = fiber.pool(4)) {
            List<String> hosts = pool.map(SlurmPoolKit::host, IntStream.range(0, 1000));
            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999))
                    .startsWith("999 ")
                    .doesNotEndWith(" " + ProcessHandle.current().pid());
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    static String partition() {
        return System.getenv("SLURM_JOB_PARTITION");
    }

    @Test
    void poolHasAPartitionOfItsOwn() {
        try (Fiber fiber = builder().set("fiber.slurm.partition", "debug").open();
                Pool pool = fiber.poolBuilder(1)
                        .backendOptions(Map.of("slurm.partition", "high", "kubernetes.user", "image"))
                        .build()) {
            assertThat(pool.<String>apply(SlurmPoolKit::partition)).isEqualTo("high");
        }
    }

    @Test
    void workersWhoseJobsWaitSayWhatFor() {
        try (Fiber fiber = builder().set("fiber.slurm.sbatch", "--hold").open();
                Pool pool = fiber.pool(2)) {
            CompletableFuture<String> held = pool.applyAsync(SlurmPoolKit::host, 1);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(pool.activity().workers())
                            .extracting(PoolActivity.Worker::waitsFor)
                            .hasSize(2)
                            .allSatisfy(why -> assertThat(why)
                                    .hasValueSatisfying(
                                            words -> assertThat(words).startsWith("JobHeldUser"))));
            assertThat(held).isNotDone();
            pool.terminate();
        }
    }
}
