// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.host.LogLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs that are longer than a node keeps in a file: 1 MiB in this cluster. {@link KubernetesClusterTest} runs it beside
 * a real cluster.
 */
@Tag(Clause.WAITS)
class KubernetesLogsKit {

    private static final int LINES = 20_000;
    private static final String REST = "x".repeat(110);
    private static final String MAY_BE_MISSING = " may be missing: ";

    /**
     * 400 lines a second: the node finds a file of more than 1 MiB each second time it looks, which is every 20 s. The
     * log must be asked for again within this time.
     */
    private static final String PRINT = "i=0; while [ $i -lt " + LINES + " ]; do echo $i " + REST
            + "; i=$((i+1)); [ $((i%400)) -gt 0 ] || sleep 1; done; ";

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        KubernetesFixture.awaitNothingLeft();
    }

    @Test
    void outputIsCompleteOrSaysWhatMayBeMissingThoughTheNodeReplacesTheFileOfTheLog() throws IOException {
        try (LogLines said = LogLines.of("io.fiber.backend.kubernetes", Level.WARNING);
                KitSession session = new KitSession(directory, Map.of("image", TestCluster.BARE_IMAGE))) {
            Job job = session.start(
                    KitSession.command("sh", "-c", PRINT).output(new JobOutput.Files(directory.resolve("logs"))));

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");

            List<String> printed =
                    IntStream.range(0, LINES).mapToObj(i -> i + " " + REST).toList();
            List<String> read = Files.readAllLines(directory.resolve("logs").resolve(job.name() + ".log"));
            if (said.messages().isEmpty()) {
                assertThat(read).isEqualTo(printed);
            } else {
                // A host that is this late may lose lines, but not in silence, and none comes twice.
                assertThat(said.messages()).allMatch(text -> text.contains(job.id()) && text.contains(MAY_BE_MISSING));
                assertInOrder(read, printed);
            }
        }
    }

    /** The last line before a gap may be cut. */
    private static void assertInOrder(List<String> read, List<String> printed) {
        int next = 0;
        for (String line : read) {
            while (next < LINES && !printed.get(next).startsWith(line)) {
                next++;
            }
            assertThat(next).as("place of the line " + line).isLessThan(LINES);
            next++;
        }
    }

    @Test
    void logOfADetachedRunThatLacksItsBeginningSaysSo() throws IOException {
        String burst = "i=0; while [ $i -lt 10000 ]; do echo $i " + REST + "; i=$((i+1)); done; ";
        try (LogLines said = LogLines.of("io.fiber.backend.kubernetes", Level.WARNING);
                KitSession session = new KitSession(directory, Map.of("image", TestCluster.BARE_IMAGE))) {
            Job job = session.start(KitSession.command("sh", "-c", burst + "sleep 20; echo late; sleep 1000"));
            session.awaitRunning(job);
            Cluster cluster = Cluster.connect(ClusterAddress.find(
                    KubernetesOptions.of(session.context().options()),
                    session.context().environment()));
            try (cluster) {
                await().atMost(KubernetesFixture.LEFT_LIMIT).until(() -> cluster.log(job.id(), 10), "late\n"::equals);
                ByteArrayOutputStream copy = new ByteArrayOutputStream();
                pods(cluster).copyLog(run(session.pod(job)), DetachedJobs.Until.NOW, copy);

                assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("late\n");
                assertThat(said.messages())
                        .singleElement()
                        .asString()
                        .matches("The log of run k3f \\(pod " + job.id() + "\\) begins \\d\\d s after the program"
                                + " started\\. If the program wrote something before that, it is gone: the API server"
                                + " gives only the newest file of a log, which has about 10 MiB by default\\.");
            }
        }
    }

    private static DetachedPods pods(Cluster cluster) {
        return new DetachedPods(
                cluster,
                new PodPlan.Setting(
                        PodRenderingTest.options(Map.of()),
                        Template.empty(),
                        Optional.empty(),
                        Cluster.labels("abcdefgh1234")),
                () -> true);
    }

    private static DetachedJob run(Pod pod) {
        return new DetachedJob(
                "k3f",
                Optional.empty(),
                "s1",
                pod.getMetadata().getName(),
                "job-0",
                Instant.EPOCH,
                0,
                "runs",
                Optional.empty());
    }
}
