// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No cluster is there: what would be asked of it is known without it. */
class PreviewTest {

    @TempDir
    Path directory;

    private String preview(JobSpec.Builder spec) throws IOException {
        Submission submission = new Submission(
                spec.build(),
                List.of(
                        new Submission.Instance("job-1", Secret.of(new byte[] {1})),
                        new Submission.Instance("job-2", Secret.empty())));
        return unasked(launcher -> launcher.preview(submission, PodRenderingTest.plan(spec, Map.of())));
    }

    @Test
    void previewOfAProgramThatIsToBeStartedAgainIsItsJob() throws IOException {
        JobSpec.Builder spec = JobSpec.builder(new Program.Command(List.of("tool")))
                .labels(Map.of(DetachedJobs.RUN, "k3f"))
                .restarts(3);
        Submission submission = Submission.of(spec.build(), "main", Secret.empty());

        String shown = unasked(launcher -> launcher.preview(submission, PodRenderingTest.plan(spec, Map.of())));

        assertThat(shown)
                .contains("kind: \"Job\"", "backoffLimit: 3", "name: \"fiber-abcdefgh1234-main\"")
                .doesNotContain("kind: \"Pod\"");
    }

    /** This process cannot listen at an address of another host. */
    @Test
    void previewWithAClassPathToFetchListensNowhere() throws IOException {
        Path jar = Files.write(directory.resolve("a.jar"), new byte[] {1});
        Program.Java java =
                new Program.Java(Optional.empty(), List.of(), List.of(jar.toString()), List.of(), "a.B", List.of());
        JobSpec.Builder spec = JobSpec.builder(java);
        Submission submission = Submission.of(spec.build(), "job-1", Secret.empty());
        CallerHost elsewhere =
                new CallerHost(InetAddress.getByName("192.0.2.1"), "192.0.2.1", CallerHost.Reach.NETWORK);

        String shown =
                unasked(elsewhere, launcher -> launcher.preview(submission, PodRenderingTest.plan(spec, Map.of())));

        assertThat(shown).contains(PodRendering.FETCH_PLAN + ": \"(not shown)\"");
    }

    /** Returns what a launcher says without asking the cluster. */
    private <T> T unasked(Function<Launcher, T> question) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        CallerHost host = new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
        return unasked(host, question);
    }

    private <T> T unasked(CallerHost host, Function<Launcher, T> question) throws IOException {
        try (StuckServer unasked = new StuckServer(StuckServer.Silent.BEFORE_AN_ANSWER);
                Cluster cluster = unasked.connect(directory);
                ClassPathServer server = new ClassPathServer(host, 0, directory);
                BackendThreads threads = new BackendThreads("test", 1)) {
            Parking parking = new Parking(cluster, threads);
            Launcher launcher =
                    new Launcher(cluster, new Launcher.Tools(server, threads, parking, Map.of()), job -> {});
            T answer = question.apply(launcher);
            assertThat(unasked.connections()).isZero();
            return answer;
        }
    }

    @Test
    void previewSaysOnceWhatTheMemoryOfPodsIsFor() throws IOException {
        Program.Java java = new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), "a.B", List.of());
        String shown = preview(JobSpec.builder(java).resources(Resources.memory("64m")));

        assertThat(shown)
                .containsOnlyOnce("---\n# Memory of each pod: 320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of"
                        + " /dev/shm\napiVersion: \"v1\"\nkind: \"Pod\"\n")
                .containsOnlyOnce("# ");
        List<HasMetadata> documents = new KubernetesSerialization().unmarshal(shown);
        assertThat(documents).extracting(HasMetadata::getKind).containsExactly("Secret", "Pod", "Pod");
    }

    @Test
    void podsWhoseSecretWouldBeTooLargeAreTooMany() throws IOException {
        JobSpec.Builder spec = JobSpec.builder(new Program.Command(List.of("tool")));
        Secret half = Secret.of(new byte[1 << 19]);
        Submission submission = new Submission(
                spec.build(),
                List.of(
                        new Submission.Instance("job-1", half),
                        new Submission.Instance("job-2", half),
                        new Submission.Instance("job-3", Secret.of(new byte[1]))));

        Throwable thrown = unasked(launcher ->
                catchThrowable(() -> launcher.launch(submission, PodRenderingTest.plan(spec, Map.of()), event -> {})));

        assertThat(thrown)
                .isInstanceOf(TooManyJobsException.class)
                .hasMessage(
                        "FBR-176 The secret of 3 pods would have 1048581 bytes; Kubernetes takes at most 1048576. Start"
                                + " fewer at once.");
    }

    @Test
    void nothingIsCreatedIfThereIsNoDirectoryForLogs() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        JobSpec.Builder spec =
                JobSpec.builder(new Program.Command(List.of("tool"))).output(new JobOutput.Files(file.resolve("logs")));
        Submission submission = Submission.of(spec.build(), "job-1", Secret.of(new byte[] {1}));

        Throwable thrown = unasked(launcher ->
                catchThrowable(() -> launcher.launch(submission, PodRenderingTest.plan(spec, Map.of()), event -> {})));

        assertThat(thrown)
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith("FBR-179 The directory '" + file.resolve("logs") + "' for the output of jobs");
    }

    @Test
    void previewOfPodsWithoutALimitSaysNothingOfMemory() throws IOException {
        assertThat(preview(JobSpec.builder(new Program.Command(List.of("tool")))))
                .doesNotContain("#", "memory");
    }
}
