// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.cli.Program;
import io.fiber.cli.ProgramJars;
import io.fiber.cli.Registry;
import io.fiber.spi.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images are pushed to a real registry of this host. */
@Tag("slow")
class ImageBuildTest {

    /** Of the user anna and the password 'secret'. */
    private static final String PASSWORDS = "anna:$2y$04$ZFkaXtvgDEn5pie6D3qJy.pOUS94sCK.13EcnbC/TLJwt91xieBzG\n";

    /** Of the same. */
    private static final String LOGIN = "YW5uYTpzZWNyZXQ=";

    private static final String BASE = "scratch";

    private final List<String> words = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void onlyWhatHasChangedIsSent() throws Exception {
        Path library = ProgramJars.write(directory.resolve("library-1.jar"), "library");
        Path app = ProgramJars.write(directory.resolve("app.jar"), "first", Program.class);
        io.fiber.spi.backend.Program.Java program = program(library, app);
        try (Registry registry = Registry.start(directory, Optional.empty())) {
            ImageBuild.Names names = new ImageBuild.Names(BASE, registry.repository("team/app"));
            String first = build("cache").run(ImageLayout.of(program), names);
            long sent = registry.blobsWritten();

            String again = build("cache").run(ImageLayout.of(program), names);
            String elsewhere = build("other-cache").run(ImageLayout.of(program), names);
            long sentAgain = registry.blobsWritten();
            ProgramJars.write(app, "second", Program.class);
            String changed = build("cache").run(ImageLayout.of(program), names);

            assertThat(first).matches("localhost:\\d+/team/app@sha256:[0-9a-f]{64}");
            assertThat(again).isEqualTo(first);
            assertThat(elsewhere).isEqualTo(first);
            assertThat(changed).isNotEqualTo(first);
            // Two layers and the description of the image; then none; then the layer of the application alone.
            assertThat(List.of(sent, sentAgain, registry.blobsWritten())).containsExactly(3L, 3L, 5L);
            assertThat(words).contains("image " + first);
        }
    }

    @Test
    void theLoginOfDockerIsUsed() throws Exception {
        Path passwords = Files.writeString(directory.resolve("passwords"), PASSWORDS);
        Path app = ProgramJars.write(directory.resolve("app.jar"), "app", Program.class);
        ImageLayout layout = ImageLayout.of(program(app));
        try (Registry registry = Registry.start(directory, Optional.of(passwords))) {
            ImageBuild.Names names = new ImageBuild.Names(BASE, registry.repository("team/app"));

            assertThatThrownBy(() -> build("cache").run(layout, names))
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-549 The registry of scratch or of localhost:")
                    .hasMessageContaining("Log in as you do for docker (docker login");
            assertThat(registry.blobsWritten()).isZero();

            Path config = Files.createDirectory(directory.resolve("config"));
            Files.writeString(
                    config.resolve("config.json"),
                    "{\"auths\": {\"localhost:" + registry.port() + "\": {\"auth\": \"" + LOGIN + "\"}}}");
            build("cache").run(layout, names);
            assertThat(registry.blobsWritten()).isEqualTo(2);
        }
    }

    @Test
    void aProgramInAnImageBringsNoFilesAndReadsThemInTheSameOrder() throws Exception {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        Path app = ProgramJars.write(directory.resolve("app.jar"), "app", Program.class);
        Path snapshot = ProgramJars.write(directory.resolve("own-2-SNAPSHOT.jar"), "own");
        Path library = ProgramJars.write(directory.resolve("library-1.jar"), "library");
        Path namesake = ProgramJars.write(
                Files.createDirectory(directory.resolve("more")).resolve("library-1.jar"), "another");

        ImageLayout layout = ImageLayout.of(program(classes, library, snapshot, app, namesake));

        assertThat(layout.program().classPath()).isEmpty();
        assertThat(layout.program().jvmOptions())
                .containsExactly(
                        "-cp",
                        String.join(
                                ":",
                                "/fiber/program/classes/0",
                                "/fiber/program/lib/library-1.jar",
                                "/fiber/program/lib/own-2-SNAPSHOT.jar",
                                "/fiber/program/lib/app.jar",
                                "/fiber/program/lib/1/library-1.jar"));
        assertThat(layout.layers())
                .extracting(layer -> layer.getName() + " " + layer.getEntries().size())
                .containsExactly("DEPENDENCIES 2", "SNAPSHOTS 1", "APPLICATION 2");
    }

    @Test
    void whatCannotBeMadeIsExplained() throws Exception {
        ImageLayout layout =
                ImageLayout.of(program(ProgramJars.write(directory.resolve("app.jar"), "app", Program.class)));

        assertThatThrownBy(() -> build("cache").run(layout, new ImageBuild.Names(BASE, "Team/App")))
                .hasMessage("FBR-548 The value of --push-image is 'Team/App', which is not the name of an image."
                        + " Expected REGISTRY/REPOSITORY, with a tag if you like: registry.example.org/team/program:1");
        assertThatThrownBy(() -> build("cache").run(new ImageBuild.Names(ImageBuild.ENGINE + "?", "localhost:1/app")))
                .hasMessageStartingWith("FBR-548 The value of --dockerfile is '?', which is not the name of an image.");
        assertThatThrownBy(() -> build("cache").run(layout, new ImageBuild.Names("?", "localhost:1/app")))
                .hasMessageStartingWith("FBR-548 The value of --image is '?', which is not the name of an image.");
        assertThatThrownBy(() -> build("cache").run(layout, new ImageBuild.Names(BASE, "localhost:1/app")))
                .hasMessageStartingWith("FBR-550 The image cannot be made from scratch or pushed to localhost:1/app: ")
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("This host must reach both registries, over TLS unless they are on this host");
        assertThat(words)
                .anyMatch(line -> line.startsWith("image: I/O error for image [localhost:1/app]"))
                .noneMatch(line -> line.contains("\u001B"));
        assertThatThrownBy(
                        () -> build("cache").run(layout, new ImageBuild.Names("tar:///no/such.tar", "localhost:1/app")))
                .hasMessageStartingWith("FBR-551 A file for the image is missing: ")
                .hasMessageContaining("/no/such.tar");
    }

    @Test
    void layersOfAUserWithoutAHomeAreCachedInATemporaryDirectory() throws Exception {
        Environment homeless = Environment.of(
                Map.of(), Map.of("user.home", "?", "user.name", "anna", "java.io.tmpdir", directory.toString()));

        assertThat(ImageBuild.cacheDirectory(homeless))
                .isEqualTo(directory.resolve("fiber-home-anna/.cache/fiber/images"));
    }

    private ImageBuild build(String cache) {
        return new ImageBuild(
                Map.of(
                        "XDG_CACHE_HOME",
                        directory.resolve(cache).toString(),
                        "DOCKER_CONFIG",
                        directory.resolve("config").toString()),
                words::add);
    }

    private static io.fiber.spi.backend.Program.Java program(Path... entries) {
        List<String> classPath = Stream.of(entries).map(Path::toString).toList();
        return new io.fiber.spi.backend.Program.Java(
                Optional.empty(), List.of(), classPath, List.of(), Program.class.getName(), List.of("7"));
    }
}
