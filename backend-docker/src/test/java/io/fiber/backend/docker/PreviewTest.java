// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No Docker is there: what would be asked of it is known without it. */
class PreviewTest {

    /** What the digest of an empty file begins with. */
    private static final String EMPTY = "e3b0c44298fc";

    @TempDir
    Path directory;

    private String preview(JobSpec spec) {
        SessionLabels labels = new SessionLabels("s1", Map.of());
        ContainerPlan plan =
                new ContainerPlan(spec, DockerOptions.of(DockerFixture.options(Map.of())), Optional.empty());
        Submission submission = new Submission(
                spec,
                List.of(
                        new Submission.Instance("job-1", Secret.of("hidden".getBytes(StandardCharsets.UTF_8))),
                        new Submission.Instance("job-2", Secret.empty())));
        try (Engine engine =
                Engine.connect(new DaemonAddress("unix://" + directory.resolve("none.sock"), "", "from a test"))) {
            ClassPathVolume classPath = new ClassPathVolume(engine, labels, directory);
            ClassPathVolume.Arrangement arrangement = classPath.arrange(submission);
            Preview preview = new Preview(engine, labels);
            preview.addFiles(classPath, arrangement);
            preview.addMemory(plan);
            submission.instances().forEach(instance -> preview.addContainer(instance, plan, arrangement));
            return preview.toString();
        }
    }

    private static Fiber session(ScriptedDocker docker, Map<String, String> values) {
        FiberBuilder builder = Fiber.builder()
                .backend("docker")
                .transport("aeron")
                .set("fiber.cds", "false")
                .set("fiber.docker.host", docker.url())
                .set("fiber.docker.address", "127.0.0.1");
        values.forEach(builder::set);
        return builder.open();
    }

    /** All containers are on Docker's host: a quarter of it for each of eight would be twice what there is. */
    @Test
    void workersWithoutMemoryOfTheirOwnShareThatOfDockersHost() throws IOException {
        try (ScriptedDocker docker = new ScriptedDocker()
                .with("GET /info", Answer.of(200, "{}"))
                .with("GET /networks/bridge", Answer.of(200, "{}"))
                .with("GET /containers/json", Answer.of(200, "[]"))) {
            try (Fiber fiber = session(docker, Map.of())) {
                assertThat(fiber.poolBuilder(3).preview().orElseThrow()).doesNotContain("MaxRAMPercentage", "-Xmx");
                assertThat(fiber.poolBuilder(8).preview().orElseThrow()).contains("\"-XX:MaxRAMPercentage=9.37\"");
            }
            try (Fiber fiber = session(docker, Map.of("fiber.docker.memory", "100m"))) {
                assertThat(fiber.poolBuilder(8).preview().orElseThrow()).contains("\"-Xmx102400k\"");
            }
        }
    }

    @Test
    void previewHasEveryRequestAndWhereTheClassPathGoes() throws IOException {
        Path jar = Files.createFile(directory.resolve("a.jar"));
        String shown = preview(JobSpec.builder(new Program.Java(
                        Optional.empty(), List.of(), List.of(jar.toString()), List.of(), "a.B", List.of("7")))
                .resources(Resources.cpus(1.5).withMemory("100m"))
                .build());

        assertThat(shown.lines().filter(line -> line.startsWith("P") || line.startsWith("#")))
                .containsExactly(
                        "POST /volumes/create",
                        "# These files come into the volume, by a container that is never started:",
                        "#   /fiber/class-path/" + EMPTY + "/a.jar from " + jar,
                        "# Memory of each container, at most 356 MiB: heap 100 MiB, 192 MiB beside it, 64 MiB of /dev/shm",
                        "POST /containers/create?name=fiber-s1-job-1",
                        "PUT /containers/fiber-s1-job-1/archive?path=/fiber/bootstrap",
                        "# A file 'bytes' that only user "
                                + DockerOptions.of(DockerFixture.options(Map.of()))
                                        .user() + " reads (not shown)",
                        "POST /containers/fiber-s1-job-1/start",
                        "POST /containers/create?name=fiber-s1-job-2",
                        "POST /containers/fiber-s1-job-2/start");
        assertThat(shown)
                .contains(
                        "\"-Xmx102400k\"",
                        "\"/fiber/class-path/" + EMPTY + "/a.jar\"",
                        "\"a.B\"",
                        "\"NanoCpus\" : 1500000000")
                .contains("\"ReadonlyRootfs\" : true", "FIBER_BOOTSTRAP=file:/fiber/bootstrap/bytes")
                .containsPattern("\"VolumeOptions\" : \\{\\s+\"Labels\" : \\{\\s+\"io.fiber.session\" : \"s1\"")
                .doesNotContain("hidden", "null");
    }

    private static Submission programOf(Path... classPath) {
        Program.Java program = new Program.Java(
                Optional.empty(),
                List.of(),
                Stream.of(classPath).map(Path::toString).toList(),
                List.of(),
                "a.B",
                List.of());
        return Submission.of(JobSpec.builder(program).build(), "job", Secret.empty());
    }

    @Test
    void volumeThatIsThereIsNotMadeAgain() throws IOException {
        Path first = Files.createFile(directory.resolve("a.jar"));
        Path second = Files.createFile(directory.resolve("b.jar"));
        try (ScriptedDocker docker = new ScriptedDocker()
                        .with("POST /volumes/create", Answer.of(201, "{}"))
                        .with("POST /containers/create", Answer.of(201, "{\"Id\":\"porter\"}"))
                        .with("PUT /containers/porter/archive", Answer.of(200, ""))
                        .with("DELETE /containers/porter", Answer.of(204, ""));
                Engine engine = docker.connect()) {
            SessionLabels labels = new SessionLabels("s1", Map.of());
            ClassPathVolume classPath = new ClassPathVolume(engine, labels, directory);
            classPath.place(programOf(first), "image");

            Preview preview = new Preview(engine, labels);
            preview.addFiles(classPath, classPath.arrange(programOf(first, second)));
            classPath.place(programOf(first, second), "image");

            assertThat(preview.toString())
                    .isEqualTo("# These files come into the volume, by a container that is never started:\n"
                            + "#   /fiber/class-path/" + EMPTY + "/b.jar from " + second + "\n");
            assertThat(docker.count("POST /volumes/create")).isEqualTo(1);
        }
    }

    @Test
    void commandNeedsNoVolume() {
        assertThat(preview(JobSpec.builder(new Program.Command(List.of("tool", "x")))
                        .build()))
                .startsWith("POST /containers/create?name=fiber-s1-job-1\n{")
                .contains("\"Entrypoint\" : [ \"tool\" ]", "\"Cmd\" : [ \"x\" ]")
                .doesNotContain("class-path");
    }
}
