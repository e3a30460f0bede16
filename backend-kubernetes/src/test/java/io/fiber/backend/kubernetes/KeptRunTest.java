// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobTermination;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptRunTest {

    private static final String LABELS = "labels: {io.fiber.run: k3f, io.fiber.session: s1, io.fiber.job: main}";

    private final PodPlan.Setting setting = new PodPlan.Setting(
            PodRenderingTest.options(Map.of()), Template.empty(), Optional.empty(), Cluster.labels("abcdefgh1234"));

    private static Job job(String status) {
        return new KubernetesSerialization()
                .unmarshal("kind: Job\napiVersion: batch/v1\nmetadata: {name: fiber-s1-main, creationTimestamp:"
                        + " '2026-11-29T10:00:00Z', " + LABELS + "}\nstatus: {" + status + "}\n");
    }

    /** Returns a pod of the Job that was created in this minute. */
    private static Pod pod(int minute, String metadata, String phase, String state) {
        return new KubernetesSerialization()
                .unmarshal("kind: Pod\napiVersion: v1\nmetadata: {name: p" + minute
                        + ", creationTimestamp: '2026-11-29T10:0" + minute + ":00Z', annotations: {io.fiber.restarts:"
                        + " '3'}, ownerReferences: [{kind: Job, name: fiber-s1-main}], " + metadata + LABELS
                        + "}\nspec: {nodeName: node-1}\nstatus: {phase: " + phase
                        + ", containerStatuses: [{name: worker, state: {" + state + "}}]}\n");
    }

    private static Pod ended(int minute, int code) {
        return pod(minute, "", code == 0 ? "Succeeded" : "Failed", "terminated: {exitCode: " + code + "}");
    }

    private DetachedJob seen(Job job, Pod... pods) {
        List<KeptRun> runs = KeptRun.of(List.of(job), Arrays.asList(pods));
        assertThat(runs).hasSize(1);
        return runs.get(0).seen(setting);
    }

    @Test
    void runIsThatOfItsNewestPodWithTheIdOfItsJob() {
        DetachedJob run = seen(job("active: 1, failed: 1"), pod(2, "", "Running", "running: {}"), ended(1, 75));

        assertThat(run)
                .isEqualTo(new DetachedJob(
                        "k3f",
                        Optional.empty(),
                        "s1",
                        "fiber-s1-main",
                        "main",
                        Instant.parse("2026-11-29T10:00:00Z"),
                        1,
                        "runs on node-1",
                        Optional.empty()));
    }

    @Test
    void runWithoutALivingPodWaitsToBeStartedAgain() {
        Pod deleted = pod(2, "deletionTimestamp: '2026-11-29T10:03:00Z', ", "Running", "running: {}");

        assertThat(seen(job("failed: 1"), ended(1, 75)).state()).isEqualTo("waits to be started again");
        assertThat(seen(job("failed: 1"), ended(1, 75)).end()).isEmpty();
        assertThat(seen(job("active: 1"), deleted).state()).isEqualTo("waits to be started again");
        assertThat(seen(job("")).state())
                .isEqualTo("waits for its pod; 'kubectl describe job fiber-s1-main' may say why");
    }

    @Test
    void endOfTheProgramIsThatOfTheRunBeforeTheJobSaysSo() {
        Pod own = pod(2, "", "Succeeded", "terminated: {exitCode: 0, message: 'code=7'}");

        assertThat(seen(job("active: 1, failed: 1"), ended(1, 75), own).end()).contains(JobTermination.exited(7));
        assertThat(seen(job("active: 1"), ended(1, 0)).end()).contains(JobTermination.exited(0));
    }

    @Test
    void runWithoutRestartsLeftEndsLikeItsLastPod() {
        Job failed = job("failed: 2, conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded, message:"
                + " 'Job has reached the specified backoff limit'}]");

        DetachedJob run = seen(failed, ended(1, 143), ended(2, 75));
        assertThat(run.end()).contains(JobTermination.exited(75));
        assertThat(run.restarts()).isOne();
        assertThat(seen(failed).end().orElseThrow())
                .returns(EndCause.UNKNOWN, JobTermination::cause)
                .returns("BackoffLimitExceeded: Job has reached the specified backoff limit", JobTermination::detail);
    }

    @Test
    void exitCodeOfARunWhosePodsAreGoneIsNotGuessed() {
        JobTermination end = seen(job("succeeded: 1, conditions: [{type: Complete, status: 'True'}]"))
                .end()
                .orElseThrow();

        assertThat(end.exitCode()).isEmpty();
        assertThat(end.detail()).isEqualTo("its last pod is gone, and with it the exit code");
    }

    /** The user may not list Jobs, or the Job is being deleted. */
    @Test
    void podsWithoutTheirJobAreOneRunAndPlainPodsAreOneEach() {
        Pod plain = new KubernetesSerialization()
                .unmarshal(
                        "kind: Pod\napiVersion: v1\nmetadata: {name: plain, creationTimestamp:"
                                + " '2026-11-29T10:00:00Z', labels: {io.fiber.run: abc}}\nspec: {}\nstatus: {phase: Pending}\n");

        assertThat(KeptRun.of(List.of(), List.of(ended(1, 75), plain, pod(2, "", "Running", "running: {}"))))
                .extracting(run -> run.seen(setting))
                .extracting(DetachedJob::id, DetachedJob::restarts, DetachedJob::state)
                .containsExactly(tuple("fiber-s1-main", 1, "runs on node-1"), tuple("plain", 0, "is being started"));
    }
}
