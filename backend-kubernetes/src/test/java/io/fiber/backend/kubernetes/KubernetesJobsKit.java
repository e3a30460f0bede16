// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.GluttonJob;
import io.fiber.tck.host.LogLines;
import io.fiber.tck.probe.Glutton;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with pods, and how they are walled in. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesJobsKit {

    private static final String VOLUME = "fiber-kit-data";

    @TempDir
    Path directory;

    /** A program that ends at once. */
    static final class Greeter {
        private Greeter() {}

        public static void main(String[] arguments) {
            System.out.println("hello");
        }
    }

    private KitSession open(Map<String, String> values) {
        return new KitSession(directory, values);
    }

    @AfterEach
    void nothingIsLeft() {
        KubernetesFixture.awaitNothingLeft();
    }

    @Test
    void podThatUsesTooMuchMemorySaysSo() {
        try (KitSession session = open(Map.of())) {
            JobTermination end = session.awaitEnd(session.start(GluttonJob.spec()));

            assertThat(end.cause()).as(end.describe()).isEqualTo(EndCause.OUT_OF_MEMORY);
            assertThat(end.exitCode()).hasValue(137);
            assertThat(end.describe())
                    .contains(
                            "more than its limit of 320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm;",
                            "fiber.kubernetes.memory");
        }
    }

    @Test
    void podThatIsDeletedFromOutsideHasNotEndedWell() {
        try (KitSession session = open(Map.of())) {
            Job asked = session.start(KitSession.command("sleep", "1000"));
            Job forgotten = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(asked);
            session.awaitRunning(forgotten);

            session.cluster()
                    .client()
                    .resource(session.pod(asked))
                    .withGracePeriod(1)
                    .delete();
            session.cluster()
                    .client()
                    .resource(session.pod(forgotten))
                    .withGracePeriod(0)
                    .delete();

            assertThat(session.awaitEnd(asked).state()).isIn(JobState.LOST, JobState.FAILED);
            assertThat(session.awaitEnd(forgotten).state()).isIn(JobState.LOST, JobState.FAILED);
        }
    }

    @Test
    void imageIsPulledAndOneThatIsMissingIsNamedInTheRegistrysWords() {
        try (KitSession session = open(Map.of("pull", "always"))) {
            Job pulled = session.start(KitSession.command("true").image(TestCluster.REGISTRY + TestCluster.BARE_IMAGE));
            Job missing = session.start(KitSession.command("true").image(TestCluster.REGISTRY + "no-such-image:7"));

            assertThat(session.awaitEnd(pulled).describe()).contains("exit code 0");
            JobTermination end = session.awaitEnd(missing);
            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-173 The image 'localhost:5000/no-such-image:7' (asked for by the process)")
                    .contains("not found");
        }
    }

    @Test
    void imageWithoutJavaIsNamedWithWhatIsMissing() {
        try (KitSession session = open(Map.of("image", TestCluster.BARE_IMAGE))) {
            JobTermination end = session.awaitEnd(session.start(KitSession.java(Glutton.class)));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-174 The image 'fiber-test:bare'")
                    .contains("a JRE 17 or later");
        }
    }

    @Test
    void thirdPodOfANodeWithTwoGpusWaitsUntilOneHasEnded() {
        Resources one = Resources.gpus(1);
        try (KitSession session = open(Map.of())) {
            Job first = session.start(KitSession.command("sleep", "1000").resources(one));
            Job second = session.start(KitSession.command("sleep", "1000").resources(one));
            session.awaitRunning(first);
            session.awaitRunning(second);
            Job third = session.start(KitSession.command("sleep", "1000").resources(one));

            assertThat(session.record().awaitWaiting(third, "Insufficient nvidia.com/gpu"))
                    .startsWith("Unschedulable: ");
            assertThat(session.record().isRunning(third)).isFalse();

            first.cancel(Duration.ZERO);
            assertThat(session.awaitRunning(third)).isEqualTo("node-1");
        }
    }

    @Test
    void podHasNoRightsThatItDoesNotNeed() {
        try (KitSession session = open(Map.of("user", "4242:4343"))) {
            Job job = session.start(KitSession.command(
                    "sh",
                    "-c",
                    "id -u; id -g; cat /proc/self/status; echo x >/there; echo y >/tmp/here && cat /tmp/here;"
                            + " ls /var/run/secrets"));
            session.awaitEnd(job);

            assertThat(job.logs(100))
                    .contains("4242", "4343", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "y")
                    .anyMatch(line -> line.contains("/there: Read-only file system"))
                    .anyMatch(line -> line.contains("/var/run/secrets: No such file"));
        }
    }

    @Test
    void whatIsAskedForIsOnThePod() {
        Map<String, String> values =
                Map.of("shm-size", "96m", "memory", "100m", "node-selector", "kubernetes.io/os=linux");
        try (KitSession session = open(values)) {
            Job job = session.start(KitSession.command("sleep", "1000")
                    .labels(Map.of("team", "kit"))
                    .resources(Resources.cpus(0.5).withMemory("200m")));

            Container worker = session.pod(job).getSpec().getContainers().get(0);
            assertThat(worker.getResources().getLimits()).containsEntry("cpu", new Quantity("500m"));
            assertThat(Quantity.getAmountInBytes(
                            worker.getResources().getLimits().get("memory")))
                    .isGreaterThanOrEqualTo(BigDecimal.valueOf(200L << 20));
            assertThat(session.pod(job).getSpec().getNodeSelector()).containsEntry("kubernetes.io/os", "linux");
            assertThat(session.pod(job).getMetadata().getLabels())
                    .containsEntry("team", "kit")
                    .containsEntry(SessionLabels.JOB, "job-0")
                    .containsEntry(SessionLabels.SESSION, "kitsession01");
            session.awaitRunning(job);
        }
    }

    @Test
    void whatOneJobWritesToAClaimedVolumeAnotherReads() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (KitSession session = open(Map.of())) {
            claim(session.cluster(), data);
            try {
                List<Volume> volumes = List.of(Volume.of(VOLUME, "/data"));
                JobTermination written = session.awaitEnd(session.start(
                        KitSession.command("sh", "-c", "echo one >/data/a").volumes(volumes)));
                Job reader = session.start(KitSession.command("cat", "/data/a").volumes(volumes));
                session.awaitEnd(reader);

                assertThat(written.describe()).contains("exit code 0");
                assertThat(reader.logs(10)).contains("one");
                aWorkerOfAPoolReadsAndWrites(volumes);
                assertThat(data.resolve("b")).hasContent("one and two");
            } finally {
                unclaim(session.cluster());
            }
        }
    }

    static void append(String text) throws IOException {
        Files.writeString(Path.of("b"), Files.readString(Path.of("a")).strip() + text);
    }

    private static void aWorkerOfAPoolReadsAndWrites(List<Volume> volumes) {
        try (Fiber fiber = KitFiber.builder()
                        .set("fiber.kubernetes.namespace", KitCluster.NAMESPACE)
                        .open();
                Pool pool = fiber.poolBuilder(1)
                        .image(TestCluster.IMAGE)
                        .volumes(volumes)
                        .workingDirectory(Path.of("/data"))
                        .build()) {
            pool.apply(() -> {
                append(" and two");
                return 0;
            });
        }
    }

    private static void claim(KitCluster cluster, Path data) {
        Map<String, Quantity> size = Map.of("storage", new Quantity("1Mi"));
        cluster.client()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(VOLUME)
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(size)
                        .withAccessModes("ReadWriteMany")
                        .withNewHostPath()
                        .withPath(data.toString())
                        .endHostPath()
                        .endSpec()
                        .build())
                .create();
        cluster.client()
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName(VOLUME)
                        .withNamespace(KitCluster.NAMESPACE)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .withVolumeName(VOLUME)
                        .withNewResources()
                        .withRequests(size)
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }

    private static void unclaim(KitCluster cluster) {
        cluster.client()
                .persistentVolumeClaims()
                .inNamespace(KitCluster.NAMESPACE)
                .withName(VOLUME)
                .delete();
        cluster.client().persistentVolumes().withName(VOLUME).delete();
    }

    @Test
    void remainsAreRemovedByASmallProcess() throws Exception {
        KitSession session = open(Map.of());
        Job job = session.start(KitSession.command("sleep", "1000"));
        session.awaitRunning(job);
        ClusterAddress address = ClusterAddress.find(
                KubernetesOptions.of(session.context().options()),
                session.context().environment());

        Process process = new ProcessBuilder(Remains.command(
                        address, Cluster.labels(session.context().sessionId()), FailedJobs.REMOVED))
                .inheritIO()
                .start();

        await().atMost(KubernetesFixture.LEFT_LIMIT)
                .untilAsserted(() -> assertThat(session.cluster().remains()).isEmpty());
        assertThat(process.waitFor()).isZero();
        assertThat(session.awaitEnd(job).state()).isIn(JobState.LOST, JobState.FAILED);
        session.close();
    }

    @Test
    void previewIsWhatKubectlTakesWithoutTheSecret() {
        try (KitSession session = open(Map.of())) {
            String shown = session.preview(KitSession.java(Glutton.class)).orElseThrow();

            assertThat(shown.split("(?m)^---\n"))
                    .filteredOn(document -> !document.isBlank())
                    .hasSize(2)
                    .anySatisfy(secret -> assertThat(secret)
                            .contains("kind: \"Secret\"", "job-0: \"(not shown)\"", "fetch.plan: \"(not shown)\""))
                    .anySatisfy(pod -> assertThat(pod)
                            .contains("kind: \"Pod\"", "name: \"fiber-kitsession01-job-0\"", Glutton.class.getName()));
            assertThat(session.cluster().remains()).isEmpty();
        }
    }

    /** What sessions of one program send, without a cache and with one; the figures are printed. */
    @Test
    void secondSessionOfAProgramSendsNothingWhereACacheHasItsClassPath() throws IOException {
        Path cache = Files.createDirectory(directory.resolve("cache"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, String> cached = Map.of("class-path-cache", cache.toString());

        List<String> said = saidOf(List.of(Map.of(), Map.of(), cached, cached));

        System.out.println(said);
        assertThat(said)
                .hasSize(4)
                .first()
                .asString()
                .matches("Pods have fetched 1 files of the class path: [1-9]\\d+ bytes\\.");
        assertThat(said.subList(1, 3)).containsOnly(said.get(0));
        assertThat(said.get(3)).isEqualTo("Pods have fetched 0 files of the class path: 0 bytes.");
    }

    /** Runs a program in a session for each of these options, and returns what is logged of class paths. */
    private List<String> saidOf(List<Map<String, String>> options) {
        try (LogLines lines = LogLines.of(ClassPathServer.class.getName(), Level.FINE)) {
            for (Map<String, String> each : options) {
                try (KitSession session = open(each)) {
                    Job job = session.start(
                            BackendFixture.javaJob(List.of(BackendFixture.placeOf(Greeter.class)), Greeter.class));
                    assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");
                }
            }
            return lines.messages();
        }
    }

    @Test
    void cacheThatPodsMayNotWriteIsNamed() throws IOException {
        Path cache = Files.createDirectory(directory.resolve("cache"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (KitSession session = open(Map.of("class-path-cache", cache.toString()))) {
            JobTermination end = session.awaitEnd(session.start(
                    BackendFixture.javaJob(List.of(BackendFixture.placeOf(Greeter.class)), Greeter.class)));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-178 The pod could not keep the class path in '" + cache
                            + "' (fiber.kubernetes.class-path-cache): Error: The cache of class paths cannot be written:"
                            + " java.nio.file.AccessDeniedException: ")
                    .endsWith("The volume must have room and be writable for the user of fiber.kubernetes.user.");
        }
    }
}
