// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Images of Dockerfiles, built by the engine of {@code dev/docker/up}, in containers there and in pods. */
@Tag("cluster")
class DockerfileRunTest extends CliFixture {

    private static final String MAIN = ReadsFiles.class.getName();

    private String jar = "";

    @BeforeEach
    void aContextWithADockerfile() throws Exception {
        jar = ProgramJars.write(directory.resolve("program.jar"), "program", ReadsFiles.class)
                .toString();
        Path context = Files.createDirectory(directory.resolve("context"));
        Files.writeString(context.resolve("hello.txt"), "hello from " + directory);
        Files.writeString(context.resolve("private.txt"), "not for others");
        Files.writeString(context.resolve(".dockerignore"), "private.txt\n");
        ProgramJars.write(context.resolve("own.jar"), "own", ReadsFiles.class);
        dockerfile("COPY . /context/");
    }

    @AfterEach
    void imagesAreRemoved() {
        if (Files.exists(TestClusters.state("docker").resolve("docker.sock"))) {
            TestClusters.docker("image", "prune", "--force", "--filter", "label=" + label());
        }
    }

    @Test
    void aContainerRunsTheClassPathOfThisHostInTheImageOfADockerfile() throws Exception {
        Cli.Result result =
                onDocker("--", "java", "-cp", jar, MAIN, "7", "/context/hello.txt", "/context/private.txt", "/no.txt");

        assertThat(result.out().lines())
                .as(result.err())
                .containsExactly(
                        "/context/hello.txt: hello from " + directory,
                        "/context/private.txt: not there",
                        "/no.txt: not there");
        assertThat(result.err()).containsPattern("fiber: build: .*COPY . /context/");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void aContainerRunsAProgramThatOnlyTheImageHas() throws Exception {
        Cli.Result java = onDocker("--", "java", "-cp", "/context/own.jar", MAIN, "7", "/context/hello.txt");
        Cli.Result other = onDocker("--quiet", "--", "cat", "/context/hello.txt");

        assertThat(java.out()).as(java.err()).isEqualTo("/context/hello.txt: hello from " + directory + "\n");
        assertThat(java.code()).isEqualTo(7);
        assertThat(other).isEqualTo(new Cli.Result(0, "hello from " + directory + "\n", ""));
    }

    @Test
    void imagesOfDockerfilesAreRemovedByTheirLabel() throws Exception {
        onDocker("--", "true");
        assertThat(untagged()).isNotBlank();

        TestClusters.docker("image", "prune", "--force", "--filter", labelOfFiber());

        assertThat(untagged()).isBlank();
    }

    private String untagged() {
        return TestClusters.docker("image", "ls", "-q", "--filter", "dangling=true", "--filter", labelOfFiber());
    }

    private String labelOfFiber() {
        return "label=io.fiber.dockerfile=" + directory.resolve("context/Dockerfile");
    }

    @Test
    void aBuildThatFailsIsToldInItsOwnWords() throws Exception {
        dockerfile("RUN echo the cause; exit 3");

        Cli.Result result = onDocker("--", "true");
        Cli.Result quiet = onDocker("--quiet", "--", "true");

        assertThat(result.err())
                .contains("\nfiber: FBR-556 The image cannot be built from " + directory.resolve("context/Dockerfile")
                        + ": docker build ended with exit code 3. Correct the Dockerfile or the files that it copies:"
                        + " they must be in "
                        + directory.resolve("context") + ", and the .dockerignore there must not exclude them.\n")
                .containsOnlyOnce("\nfiber: build: the cause\n")
                .doesNotContain("last lines");
        assertThat(quiet.err())
                .startsWith("fiber: FBR-556 ")
                .contains(" Its last lines were:\n")
                .containsOnlyOnce("\n    the cause\n");
        assertThat(TestClusters.docker("ps", "-aq", "--filter", "label=" + label()))
                .as("containers of the build")
                .isEmpty();
        assertThat(result.code()).isEqualTo(125);
    }

    @Test
    void aPodRunsTheClassPathUponTheImageOfADockerfileOrTheImageAlone() throws Exception {
        try (Registry registry = registry()) {
            Cli.Result java = onKubernetes(registry, "--", "java", "-cp", jar, MAIN, "7", "/context/hello.txt");
            long sent = registry.blobsWritten();
            Cli.Result other = onKubernetes(registry, "--", "sh", "-c", "cat /context/hello.txt; exit 8");

            assertThat(java.out()).as(java.err()).isEqualTo("/context/hello.txt: hello from " + directory + "\n");
            assertThat(java.code()).isEqualTo(7);
            assertThat(other.out()).as(other.err()).isEqualTo("hello from " + directory + "\n");
            assertThat(other.code()).isEqualTo(8);
            // The description of the image; the layers are there.
            assertThat(registry.blobsWritten()).isEqualTo(sent + 1);
        }
    }

    private void dockerfile(String instruction) throws Exception {
        Files.writeString(
                directory.resolve("context/Dockerfile"),
                "FROM fiber-test:jre\nLABEL " + label() + "\n" + instruction + "\n");
    }

    private String label() {
        return "io.fiber.test=" + directory.getFileName();
    }

    private Cli.Result onDocker(String... words) throws Exception {
        return run(TestClusters.besideDocker(cli), List.of("--backend", "docker"), words);
    }

    private Registry registry() throws Exception {
        TestClusters.besideDocker(cli);
        TestClusters.besideKubernetes(cli);
        return Registry.start(directory, Optional.empty(), TestClusters.inside("kubernetes"));
    }

    private Cli.Result onKubernetes(Registry registry, String... words) throws Exception {
        Cli pods = TestClusters.besideKubernetes(cli)
                .with("DOCKER_HOST", "unix://" + TestClusters.state("docker").resolve("docker.sock"))
                .with("XDG_CACHE_HOME", directory.resolve("cache").toString());
        return run(pods, List.of("--backend", "kubernetes", "--push-image", registry.repository("app")), words);
    }

    private Cli.Result run(Cli from, List<String> options, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("run", "--dockerfile", "context/Dockerfile"));
        all.addAll(options);
        all.addAll(Arrays.asList(words));
        return from.run(all.toArray(String[]::new));
    }
}
