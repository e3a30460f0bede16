// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.cluster.KitContext;
import io.fiber.tck.host.SessionIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that the cluster starts again. {@link KubernetesClusterTest} runs it beside a real cluster. */
@Tag(Clause.WAITS)
class KubernetesRestartsKit {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Each start adds a line to a file that all of them see. */
    private static final String COUNTS = "echo start >>/data/starts; n=$(wc -l </data/starts); echo this is start $n; ";

    @TempDir
    Path directory;

    private KitCluster cluster;
    private Backend backend;
    private String run;

    @BeforeEach
    void open() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        cluster = new KitCluster();
        backend = new KubernetesBackendProvider()
                .create(new KitContext(
                        SessionIds.next(), directory, KubernetesFixture.options(Map.of()), Environment.system()));
        run = SessionIds.next();
    }

    @AfterEach
    void nothingIsLeft() {
        seen().filter(each -> each.end().isEmpty()).ifPresent(each -> jobs().end(each, DetachedJobs.Ending.FORCED));
        backend.leftovers().forEach(backend::remove);
        backend.close();
        KubernetesFixture.awaitNothingLeft();
        cluster.close();
    }

    private JobSpec.Builder script(int restarts, String text) {
        return JobSpec.builder(new Program.Command(List.of("sh", "-c", COUNTS + text)))
                .volumes(List.of(Volume.of(directory.toString(), "/data")))
                .labels(Map.of(DetachedJobs.RUN, run))
                .restarts(restarts);
    }

    private void start(JobSpec.Builder spec) {
        backend.submit(Submission.of(spec.build(), "main", Secret.empty()), event -> {});
        await().atMost(LIMIT).until(jobs()::handOver);
    }

    private DetachedJobs jobs() {
        return backend.detachedJobs().orElseThrow();
    }

    private Optional<DetachedJob> seen() {
        return jobs().all().stream().filter(each -> each.run().equals(run)).findFirst();
    }

    private DetachedJob awaitSeen(Predicate<DetachedJob> isWanted) {
        return await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> seen(), each -> each.filter(isWanted).isPresent())
                .orElseThrow();
    }

    private DetachedJob awaitEnd() {
        return awaitSeen(each -> each.end().isPresent());
    }

    private JobTermination end(DetachedJob job) {
        return job.end().orElseThrow();
    }

    private long starts() throws IOException {
        Path starts = directory.resolve("starts");
        return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
    }

    private void awaitStarts(int count) {
        await().atMost(LIMIT).until(() -> starts() == count);
    }

    private String log(DetachedJob job, DetachedJobs.Until until) throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        jobs().copyLog(job, until, copy);
        return copy.toString(StandardCharsets.UTF_8);
    }

    private Pod pod() {
        return cluster.pods().stream()
                .filter(each -> run.equals(each.getMetadata().getLabels().get(DetachedJobs.RUN)))
                .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void programThatAsksForItIsStartedAgainAndItsLogIsThatOfAllStarts() throws IOException {
        start(script(5, "[ $n = 3 ] || exit 75"));
        DetachedJob first = awaitSeen(each -> true);

        assertThat(log(first, DetachedJobs.Until.END).lines())
                .containsExactly("this is start 1", "this is start 2", "this is start 3");
        DetachedJob last = awaitEnd();
        assertThat(end(last)).isEqualTo(JobTermination.exited(0));
        assertThat(last.restarts()).isEqualTo(2);
        assertThat(log(last, DetachedJobs.Until.NOW)).contains("this is start 1", "this is start 3");
        assertThat(backend.leftovers()).extracting(Leftover::sessionId).contains(last.sessionId());
    }

    @Test
    void programThatEndsByItselfIsNotStartedAgain() throws IOException {
        start(script(3, "exit 7"));

        assertThat(end(awaitEnd())).isEqualTo(JobTermination.exited(7));
        assertThat(awaitEnd().restarts()).isZero();
        assertThat(starts()).isOne();
    }

    /** The program is one process, because the kernel may kill the shell after a program of several. */
    @Test
    void programThatUsesTooMuchMemoryIsNotStartedAgain() throws IOException {
        start(script(3, "x=0123456789; while :; do x=$x$x; done").resources(Resources.memory("32m")));

        JobTermination end = end(awaitEnd());
        assertThat(end.cause()).as(end.describe()).isEqualTo(EndCause.OUT_OF_MEMORY);
        assertThat(starts()).isOne();
    }

    @Test
    void restartsThatAreUsedUpEndTheRun() throws IOException {
        start(script(1, "exit 75"));

        DetachedJob last = awaitEnd();
        assertThat(end(last)).isEqualTo(JobTermination.exited(75));
        assertThat(last.restarts()).isOne();
        assertThat(starts()).isEqualTo(2);
    }

    /** The limit also holds for the pause of 30 s before the second start, and a busy node takes a while to start a pod. */
    @Test
    @Tag("soak")
    void programThatReachesItsTimeLimitStopsInOrderAndGoesOn() throws IOException {
        start(script(1, "[ $n = 1 ] || exit 0; trap 'echo stopped; exit 75' TERM; while :; do sleep 0.2; done")
                .timeLimit(Duration.ofMinutes(2)));

        DetachedJob last = awaitEnd();
        assertThat(end(last)).as(last.state()).isEqualTo(JobTermination.exited(0));
        assertThat(log(last, DetachedJobs.Until.NOW).lines())
                .containsExactly("this is start 1", "stopped", "this is start 2");
    }

    @Test
    void programOfADrainedNodeGoesOnOnTheOtherWhenItHasStopped() throws IOException {
        start(script(
                3,
                "trap 'sleep 8; echo stopped >>/data/starts; exit 75' TERM;"
                        + " [ $n = 1 ] || exit 0; while :; do sleep 0.2; done"));
        awaitStarts(1);
        awaitLaterPods();
        String node = pod().getSpec().getNodeName();
        cordon(node, true);
        try {
            cluster.client().resource(pod()).delete();

            awaitSeen(each -> each.state().contains("runs on") && !each.state().contains(node));
            DetachedJob last = awaitEnd();
            assertThat(end(last)).as(last.state()).isEqualTo(JobTermination.exited(0));
            assertThat(Files.readAllLines(directory.resolve("starts"))).containsExactly("start", "stopped", "start");
        } finally {
            cordon(node, false);
        }
    }

    /** A pod that starts soon after the submission counts as the first one, which does not wait. */
    private static void awaitLaterPods() {
        await().atMost(LIMIT).pollDelay(Duration.ofSeconds(22)).until(() -> true);
    }

    private void cordon(String node, boolean isUnschedulable) {
        // Without the node's version, which its kubelet changes every few seconds.
        cluster.client()
                .nodes()
                .withName(node)
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        "{\"spec\": {\"unschedulable\": " + isUnschedulable + "}}");
    }

    @Test
    void runIsEndedForGoodWhileItRuns() throws IOException {
        start(script(3, "trap 'exit 75' TERM; while :; do sleep 0.2; done"));
        awaitStarts(1);

        assertThat(backend.leftovers()).as("of a run that lives").isEmpty();
        jobs().end(seen().orElseThrow(), DetachedJobs.Ending.ASKED);

        await().atMost(LIMIT).until(() -> seen().isEmpty());
        assertThat(starts()).isOne();
    }

    @Test
    void runIsEndedForGoodBetweenTwoStarts() throws IOException {
        start(script(3, "exit 75"));
        awaitStarts(2);
        DetachedJob between = awaitSeen(each -> each.state().startsWith("waits"));

        assertThat(backend.leftovers()).as("of a run that goes on").isEmpty();
        jobs().end(between, DetachedJobs.Ending.FORCED);

        await().atMost(LIMIT).until(() -> seen().isEmpty());
        assertThat(starts()).isEqualTo(2);
    }
}
