// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerfileBuildTest {

    private final List<String> words = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void aDockerfileThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> build().run(directory))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-553 The value of --dockerfile is '" + directory
                        + "', which is not a file that this user can read. Expected the path of a Dockerfile; its"
                        + " directory is the context of the build.");
        assertThatThrownBy(() -> build().run(directory.resolve("Dockerfile")))
                .hasMessageStartingWith("FBR-553 The value of --dockerfile is '" + directory.resolve("Dockerfile"));
    }

    /** The words in the middle are those of {@code docker}, or tell that there is no such program. */
    @Test
    void anEngineThatDoesNotAnswerIsNotTakenForAWrongDockerfile() throws Exception {
        Path dockerfile = Files.writeString(directory.resolve("Dockerfile"), "FROM scratch\n");

        assertThatThrownBy(() -> build().run(dockerfile))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-555 No Docker Engine can build the image of --dockerfile: ")
                .hasMessageEndingWith(" Expected the program docker on the PATH, and an engine that answers 'docker"
                        + " version'. Start one, or name one with DOCKER_HOST, a context of docker, or"
                        + " fiber.docker.host.");
        assertThat(words).isEmpty();
    }

    private DockerfileBuild build() {
        return new DockerfileBuild(
                Map.of("DOCKER_HOST", "unix://" + directory.resolve("no.sock")), Optional.of(words::add));
    }
}
