// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.PoolState;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limits of a site on what its users may have: by the quality of service {@code few} a user has no more than five jobs, and
 * {@code many} is not the user's. {@link SlurmClusterTest} runs it as the user of the cluster of {@code dev/slurm/up accounting}.
 */
@Tag("soak")
class SlurmAccountsKit {

    @TempDir
    Path directory;

    /** Those of an earlier test count while Slurm clears up behind them. */
    @BeforeEach
    void awaitThatTheUserHasNoJob() {
        await().atMost(KitSession.LIMIT)
                .until(() -> Cluster.run("squeue", "--noheader", "--me").isBlank());
    }

    private FiberBuilder builder() {
        return KitFiber.builderIn(directory.resolve("shared")).set("fiber.slurm.qos", "few");
    }

    static String worker(int number) throws InterruptedException {
        Thread.sleep(20);
        return System.getenv("SLURM_JOB_ID");
    }

    @Test
    void poolHasAsManyWorkersAsItsUserMayHaveJobs() {
        try (Fiber fiber = builder().open();
                Pool pool = fiber.pool(8)) {
            Set<String> workers = new TreeSet<>();
            await().atMost(KitSession.LIMIT).until(() -> {
                workers.addAll(pool.map(SlurmAccountsKit::worker, IntStream.range(0, 50)));
                return workers.size() == 5;
            });

            List<String> answers = pool.map(SlurmAccountsKit::worker, IntStream.range(0, 500));

            assertThat(answers).hasSize(500);
            assertThat(pool.activity().workers()).hasSizeBetween(5, 8);
            assertThat(Cluster.run("squeue", "--noheader", "--array", "--me", "--format=%q")
                            .lines())
                    .hasSize(5)
                    .containsOnly("few");
            assertThat(pool.state()).isEqualTo(PoolState.RUNNING);
        }
    }

    @Test
    void poolOfAUserWhoMayHaveNoMoreJobsEndsAtOnce() {
        try (KitSession session = new KitSession(directory, Map.of("qos", "few"));
                Fiber fiber = builder().open();
                Pool pool = fiber.pool(2)) {
            List<Job> all = session.start(KitSession.shell("sleep 600"), 5);
            assertThat(all).hasSize(5);

            assertThatThrownBy(() -> pool.apply(SlurmAccountsKit::worker, 1))
                    .isInstanceOf(PoolBrokenException.class)
                    .hasMessageContaining("FBR-403")
                    .hasMessageContaining("QOSMaxSubmitJobPerUserLimit")
                    .hasMessageContaining("A limit of your account or QOS forbids it. Start fewer workers");
        }
    }

    @Test
    void whatIsNotTheUsersIsRefused() {
        Map<Map<String, String>, String> cures = Map.of(
                Map.of("qos", "many"), "Correct fiber.slurm.qos",
                Map.of("qos", "nope"), "Correct fiber.slurm.qos",
                Map.of("account", "nope"), "Correct fiber.slurm.account");
        cures.forEach((options, cure) -> {
            try (KitSession session = new KitSession(directory, options)) {
                assertThatThrownBy(() -> session.start(KitSession.shell("true"), 2))
                        .isInstanceOf(JobRejectedException.class)
                        .hasMessageContaining("FBR-131")
                        .hasMessageContaining(cure);
            }
        });
    }
}
