// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.HostConfig;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.tck.backend.GluttonJob;
import io.fiber.tck.probe.Glutton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with containers, and how they are walled in. {@link DockerEngineTest} runs it beside a real engine. */
class DockerFaultsKit {

    @TempDir
    Path directory;

    private KitSession open(Map<String, String> values) {
        return new KitSession(directory, values);
    }

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
        assertThat(directory.resolve("class-path")).doesNotExist();
    }

    @Test
    void containerThatUsesTooMuchMemorySaysSo() {
        try (KitSession session = open(Map.of())) {
            JobTermination end = session.awaitEnd(session.start(GluttonJob.spec()));

            assertThat(end.cause()).as(end.describe()).isEqualTo(EndCause.OUT_OF_MEMORY);
            assertThat(end.exitCode()).hasValue(137);
            assertThat(end.describe())
                    .contains(
                            "more than its limit of 320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm;",
                            "fiber.docker.memory");
        }
    }

    @Test
    void containerThatIsKilledOrRemovedFromOutsideHasFailed() {
        try (KitSession session = open(Map.of())) {
            Job killed = session.start(KitSession.command("sleep", "1000"));
            Job removed = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(killed);
            session.awaitRunning(removed);

            session.engine().signal(killed.id(), "KILL");
            session.engine().remove(removed.id());

            assertThat(session.awaitEnd(killed).describe()).isEqualTo("signalled (exit code 137): signal 9");
            assertThat(session.awaitEnd(removed).state()).isIn(JobState.LOST, JobState.FAILED);
        }
    }

    @Test
    void imageThatIsMissingIsNamedWithWhatToDo() {
        try (KitSession session = open(Map.of(DockerOptions.IMAGE, "no-such-image:7", "pull", "never"))) {
            assertThatThrownBy(() -> session.start(KitSession.command("true")))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessage("FBR-162 The image 'no-such-image:7' (from fiber.docker.image or its default) is not"
                            + " on Docker's host and cannot be pulled: fiber.docker.pull is never. Pull or build it"
                            + " there"
                            + " (docker pull no-such-image:7), log in to its registry, or name another image in"
                            + " fiber.docker.image.");
        }
        try (KitSession session = open(Map.of())) {
            assertThatThrownBy(() -> session.start(KitSession.command("true").image("registry.invalid:5000/a/b")))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("FBR-162 The image 'registry.invalid:5000/a/b' (asked for by the process)");
        }
    }

    @Test
    void imageOfAnotherArchitectureIsNamedAsSuch() throws Exception {
        try (KitSession session = open(Map.of(DockerOptions.IMAGE, ForeignImage.NAME));
                ForeignImage foreign = new ForeignImage(session.engine())) {
            JobTermination end = session.awaitEnd(session.start(KitSession.java(Glutton.class)));

            assertThat(foreign).isNotNull();
            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-163 The image 'fiber-test:foreign' (from fiber.docker.image or its default) is for"
                            + " s390x, but Docker's host is ")
                    .contains(
                            "exec java failed: ",
                            ". Expected an image for ",
                            "'docker pull --platform linux/",
                            " fiber-test:foreign' on Docker's host fetches it.");
        }
    }

    @Test
    void imageWithoutJavaIsNamedWithWhatIsMissing() {
        try (KitSession session = open(Map.of(DockerOptions.IMAGE, TestEngine.BARE_IMAGE))) {
            JobTermination end = session.awaitEnd(session.start(KitSession.java(Glutton.class)));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-163 The image 'fiber-test:bare' (from fiber.docker.image or its default) has no"
                            + " program 'java' that can be run: ")
                    .contains("a JRE 17 or later");
        }
    }

    @Test
    void requestThatDockerCannotMeetIsRefusedInItsOwnWords() {
        try (KitSession session = open(Map.of())) {
            assertThatThrownBy(() -> session.start(KitSession.command("true").resources(Resources.cpus(5000))))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageContaining("FBR-165 Docker refused the container of process 'job-0': ")
                    .hasMessageContaining("Ask for fewer cpus");
            assertThatThrownBy(() -> session.start(KitSession.command("true").resources(Resources.memory("1m"))))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageContaining("Ask for more memory. The container's limit is 1 MiB. Nothing was started.");
            assertThatThrownBy(() -> session.start(KitSession.command("true")
                            .volumes(List.of(Volume.of("nowhere", "/data").readOnly()))))
                    .hasMessageContaining("FBR-165 The volume 'nowhere' is not on Docker's host");
            assertThatThrownBy(() -> session.start(KitSession.command("true").workingDirectory(Path.of("here"))))
                    .hasMessageContaining("FBR-168 The working directory 'here' is relative");

            JobTermination end =
                    session.awaitEnd(session.start(KitSession.command("true").resources(Resources.gpus(1))));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-166 Docker could not start the container: ")
                    .contains("NVIDIA Container Toolkit");
        }
    }

    @Test
    void networkThatIsMissingIsNamed() {
        assertThatThrownBy(() -> open(Map.of(DockerOptions.NETWORK, "nowhere")))
                .hasMessageStartingWith("FBR-164 The network 'nowhere' (from fiber.docker.network) does not exist: ");
        assertThatThrownBy(() -> open(Map.of(DockerOptions.NETWORK, "none")))
                .hasMessageStartingWith("FBR-164 The network 'none' (from fiber.docker.network) cannot carry");
    }

    @Test
    void containerHasNoRightsThatItDoesNotNeed() {
        try (KitSession session = open(Map.of("user", "4242:4343"))) {
            Job job = session.start(KitSession.command(
                    "sh",
                    "-c",
                    "id -u; id -g; cat /proc/self/status; echo x >/there; echo y >/tmp/here && cat /tmp/here"));
            session.awaitEnd(job);

            assertThat(job.logs(100))
                    .contains("4242", "4343", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "y")
                    .anyMatch(line -> line.contains("/there: Read-only file system"));
        }
    }

    @Test
    void secretIsReadableByItsOwnerAlone() {
        try (KitSession session = open(Map.of())) {
            Job job = session.start(KitSession.command("sh", "-c", "ls -ln ${FIBER_BOOTSTRAP#file:}; id -u"));
            session.awaitEnd(job);

            assertThat(job.logs(2).get(0))
                    .startsWith("-rw-------")
                    .contains(" " + job.logs(1).get(0) + " ");
        }
    }

    /** As {@code docker rm -f} does it, which leaves volumes without a name. */
    @Test
    void volumeWithTheSecretOfAContainerThatWasRemovedFromOutsideGoesWithTheSession() {
        try (KitSession session = open(Map.of())) {
            Job job = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(job);
            session.engine()
                    .tell(docker ->
                            docker.removeContainerCmd(job.id()).withForce(true).exec());

            session.awaitEnd(job);
            assertThat(KitSession.remains(session.engine())).hasSize(1).allMatch(name -> name.startsWith("volume "));
        }
        DockerFixture.assertNothingLeft();
    }

    @Test
    void whatIsAskedForIsOnTheContainer() {
        try (KitSession session = open(Map.of("shm-size", "96m", "memory", "100m"))) {
            Job plain = session.start(KitSession.command("sleep", "1000"));
            Job more = session.start(KitSession.command("sleep", "1000")
                    .labels(Map.of("team", "kit"))
                    .resources(Resources.cpus(0.5).withMemory("200m")));

            HostConfig first = session.inspect(plain).getHostConfig();
            HostConfig second = session.inspect(more).getHostConfig();

            assertThat(first.getShmSize()).isEqualTo(96L << 20);
            assertThat(first.getMemory()).isEqualTo(100L << 20);
            assertThat(second.getMemory()).isEqualTo(200L << 20);
            assertThat(second.getNanoCPUs()).isEqualTo(500_000_000L);
            assertThat(session.inspect(more).getConfig().getLabels())
                    .containsEntry("team", "kit")
                    .containsEntry(SessionLabels.JOB, "job-1")
                    .containsEntry(SessionLabels.SESSION, "kitsession01");
            assertThat(session.inspect(more).getName()).isEqualTo("/fiber-kitsession01-job-1");
            assertThat(session.awaitRunning(plain)).isNotEmpty();
        }
    }

    @Test
    void containerOfAFailedJobIsKeptOnDemand() {
        String kept;
        try (KitSession session = open(Map.of("keep-failed", "true"))) {
            Job failed = session.start(KitSession.command("sh", "-c", "echo why; exit 3"));
            Job good = session.start(KitSession.command("true"));
            Job cancelled = session.start(KitSession.command("sleep", "1000"));
            session.awaitRunning(cancelled);
            cancelled.cancel(Duration.ZERO);
            session.awaitEnd(failed);
            session.awaitEnd(good);
            session.awaitEnd(cancelled);
            kept = failed.id();
        }
        try (Engine engine = DockerFixture.engine()) {
            assertThat(KitSession.remains(engine))
                    .filteredOn(name -> !name.startsWith("volume"))
                    .hasSize(1);
            assertThat(engine.inspect(kept).getState().getExitCodeLong()).isEqualTo(3);
            engine.remove(kept);
        }
    }

    @Test
    void outputGoesToFilesOfThisHost() throws Exception {
        try (KitSession session = open(Map.of())) {
            Path logs = directory.resolve("logs");
            Job job = session.start(
                    KitSession.command("sh", "-c", "echo out; echo err >&2").output(new JobOutput.Files(logs)));
            session.awaitEnd(job);

            assertThat(Files.readAllLines(logs.resolve("job-0.log"))).containsExactlyInAnyOrder("out", "err");
        }
    }

    @Test
    void directoryOfTheHostIsSharedAsAVolume() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        Volume writable = Volume.of(data.toString(), "/data");
        Volume readable = Volume.of(data.toString(), "/data").readOnly();
        try (KitSession session = open(Map.of())) {
            session.awaitEnd(session.start(
                    KitSession.command("sh", "-c", "echo one >/data/a").volumes(List.of(writable))));
            Job reader = session.start(KitSession.command("sh", "-c", "cat /data/a; echo two >/data/b")
                    .volumes(List.of(readable)));
            session.awaitEnd(reader);

            assertThat(reader.logs(10)).contains("one");
            assertThat(data.resolve("b")).doesNotExist();
        }
    }

    @Test
    void remainsAreRemovedByASmallProcess() throws Exception {
        KitSession session = open(Map.of());
        Job job = session.start(KitSession.java(Glutton.class));
        Job second = session.start(KitSession.command("sleep", "1000"));
        session.awaitRunning(second);

        Process process = new ProcessBuilder(Remains.command(
                        session.engine().address(),
                        new SessionLabels(session.context().sessionId(), Map.of()),
                        FailedJobs.REMOVED))
                .inheritIO()
                .start();

        await().atMost(Duration.ofMinutes(5))
                .untilAsserted(
                        () -> assertThat(KitSession.remains(session.engine())).isEmpty());
        assertThat(process.waitFor()).isZero();
        assertThat(session.awaitEnd(second).state()).isIn(JobState.LOST, JobState.FAILED);
        session.awaitEnd(job);
        session.close();
    }
}
