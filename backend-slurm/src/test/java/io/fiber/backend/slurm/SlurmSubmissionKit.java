// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Slurm refuses, and what it is asked. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmSubmissionKit {

    @TempDir
    Path directory;

    private void assertRefused(Map<String, String> options, JobSpec.Builder spec, String... words) {
        try (KitSession session = new KitSession(directory, options)) {
            assertThatThrownBy(() -> session.start(spec, 1))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageContaining("FBR-131")
                    .hasMessageContaining("Nothing was started")
                    .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    @Test
    void moreProcessorsThanANodeHasAreRefused() {
        assertRefused(Map.of(), KitSession.shell("true").resources(Resources.cpus(10)), "Ask for fewer cpus", "sinfo");
    }

    @Test
    void unknownPartitionIsRefused() {
        assertRefused(Map.of("partition", "nope"), KitSession.shell("true"), "nope", "Correct fiber.slurm.partition");
    }

    @Test
    void unknownFeaturesAndResourcesAreRefused() {
        assertRefused(Map.of("constraint", "nope"), KitSession.shell("true"), "Correct fiber.slurm.constraint");
        assertRefused(Map.of("gres", "nope:1"), KitSession.shell("true"), "Correct fiber.slurm.gres");
        assertRefused(Map.of("gres", "scratch:11"), KitSession.shell("true"), "other generic resources", "sinfo");
    }

    @Test
    void nodeHasTheFeatureAndGivesTheResourcesThatAreAskedFor() {
        try (KitSession session = new KitSession(directory, Map.of("constraint", "rack2", "gres", "scratch:3"))) {
            Job job = session.start(KitSession.shell("echo on=$SLURMD_NODENAME"));
            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
            assertThat(job.logs(10)).singleElement().asString().matches("on=.*-2");
            assertThat(Cluster.run("scontrol", "show", "job", job.id()))
                    .contains("Features=rack2")
                    .containsPattern("TresPerNode=gres[:/]scratch:3");
        }
    }

    @Test
    void moreGpusThanANodeHasAreRefused() {
        assertRefused(Map.of(), KitSession.shell("true").resources(Resources.gpus(9)), "GPUs", "sinfo");
    }

    @Test
    void gpusThatWereAskedForAreSeen() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(
                    KitSession.shell("echo gpus=$CUDA_VISIBLE_DEVICES").resources(Resources.gpus(2)));
            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
            assertThat(job.logs(10)).contains("gpus=0,1");
        }
    }

    @Test
    void jobHasTheLanguageOfTheUserAndNotTheOneOfOurQuestions() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(KitSession.shell("echo language=$LC_ALL,$LANG"));
            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
            assertThat(job.logs(10)).containsExactly("language=," + TestCluster.LANGUAGE);
        }
    }

    @Test
    void fiftyJobsAreOneSubmissionAndFewQuestions() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            long beganNs = System.nanoTime();
            List<Job> jobs = session.start(KitSession.shell("exit 3"), 50);
            jobs.forEach(job -> assertThat(session.awaitEnd(job))
                    .as(() -> job.id() + " " + job.logs(20))
                    .isEqualTo(JobTermination.exited(3)));
            long intervals = Duration.ofNanos(System.nanoTime() - beganNs).toMillis() / 500 + 2;
            assertThat(session.calls("sbatch")).isOne();
            assertThat(session.calls("squeue")).isLessThanOrEqualTo(intervals);
        }
    }

    @Test
    void jobThatSomebodyElseCancelledHasFailed() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            List<Job> jobs = session.start(KitSession.shell("echo here; sleep 600"), 2);
            await().atMost(KitSession.LIMIT)
                    .until(() -> jobs.stream().allMatch(job -> job.logs(5).contains("here")));
            Cluster.run("scancel", jobs.get(1).id());

            JobTermination end = session.awaitEnd(jobs.get(1));
            assertThat(end.cause()).isEqualTo(EndCause.SIGNALLED);
            assertThat(end.detail()).contains("Somebody else cancelled it");
            assertThat(jobs.get(0).state().isFinal()).isFalse();
        }
    }

    @Test
    void jobThatWaitedAndWasCancelledByOthersEnds() {
        try (KitSession session = new KitSession(directory, Map.of("sbatch", "--begin=now+1hour"))) {
            Job job = session.start(KitSession.shell("true"));
            Cluster.run("scancel", job.id());

            JobTermination end = session.awaitEnd(job);
            assertThat(end.cause()).isIn(EndCause.SIGNALLED, EndCause.UNKNOWN);
            assertThat(end.detail()).contains("cancelled");
        }
    }
}
