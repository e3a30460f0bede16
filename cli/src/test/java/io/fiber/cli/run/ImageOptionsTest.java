// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.cli.ProgramJars;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.discovery.Selected;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ImageOptionsTest {

    private static final Program COMMAND = new Program.Command(List.of("nvidia-smi"));

    @Test
    void withoutWishesTheImageIsTheOneThatWasNamed() throws Exception {
        try (ProgramBackends docker = backends("docker")) {
            assertThat(wishes().image(COMMAND, Optional.of("app:1"), docker, Optional.empty()))
                    .isEqualTo(new Imaged(COMMAND, Optional.of("app:1")));
        }
    }

    @Test
    void whatHasNoUseIsRefusedBeforeAnythingIsBuilt() {
        assertThatThrownBy(image("local", Optional.empty(), "--push-image", "registry.example.org/app"))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-552 --push-image asks for an image, but the backend 'local' does not run images. Leave"
                        + " --push-image"
                        + " out, or choose another backend.");
        assertThatThrownBy(image("local", Optional.empty(), "--dockerfile", "no/Dockerfile"))
                .hasMessage("FBR-552 --dockerfile asks for an image, but the backend 'local' does not run images. Leave"
                        + " --dockerfile out, or choose another backend.");
        assertThatThrownBy(image("docker", Optional.of("app:1"), "--dockerfile", "no/Dockerfile"))
                .hasMessage("FBR-552 --dockerfile asks for an image, but --image names 'app:1'. Leave one of them"
                        + " out; name the base image in FROM of the Dockerfile.");
        assertThatThrownBy(image("docker", Optional.empty(), "--push-image", "registry.example.org/app"))
                .hasMessage("FBR-552 --push-image asks for an image, but only a Java program has a class path for it."
                        + " Leave --push-image out, and name an image that has the program with --image.");
        assertThatThrownBy(image("kubernetes", Optional.empty(), "--dockerfile", "no/Dockerfile"))
                .hasMessage(
                        "FBR-557 --dockerfile builds an image in a Docker Engine, but the backend 'kubernetes' takes"
                                + " images from a registry. Name one to which it is pushed: --push-image"
                                + " registry.example.org/team/app");
        assertThatThrownBy(image(
                        "kubernetes", Optional.empty(), "--dockerfile", "no/Dockerfile", "--push-image", "Team/App"))
                .hasMessageStartingWith("FBR-548 The value of --push-image is 'Team/App'");
        assertThatThrownBy(image("docker", Optional.empty(), "--dockerfile", "no/Dockerfile"))
                .hasMessageStartingWith("FBR-553 The value of --dockerfile is 'no/Dockerfile'");
    }

    @Test
    void aJavaProgramThatIsNotHereIsTakenToBeInTheImageOfTheDockerfile(@TempDir Path directory) throws Exception {
        String here = ProgramJars.write(directory.resolve("app.jar"), "app").toString();
        ImageOptions wishes = wishes("--dockerfile", "Dockerfile");
        List<String> jar = List.of("java", "-jar", "/no/such.jar", "7");
        List<String> classes = List.of("java", "-Xmx1g", "-cp", "/no/such.jar:/no/lib/*", "my.Program");

        assertThat(wishes.program(jar, ".")).isEqualTo(new Program.Command(jar));
        assertThat(wishes.program(classes, ".")).isEqualTo(new Program.Command(classes));
        assertThat(wishes.program(List.of("java", "-cp", here + ":/no/such.jar", "my.Program"), "."))
                .isInstanceOf(Program.Java.class);
        assertThat(wishes().program(classes, ".")).isInstanceOf(Program.Java.class);
        assertThatThrownBy(() -> wishes().program(jar, ".")).hasMessageStartingWith("FBR-531 ");
        assertThatThrownBy(() -> wishes.program(List.of("java", "-jar", here), "."))
                .hasMessageStartingWith("FBR-531 ");
    }

    private static ThrowingCallable image(String backend, Optional<String> named, String... options) {
        return () -> {
            try (ProgramBackends chosen = backends(backend)) {
                wishes(options).image(COMMAND, named, chosen, Optional.empty());
            }
        };
    }

    /** None of these platforms need be here, and none is asked. */
    private static ProgramBackends backends(String name) {
        Providers providers = Providers.discover(List.of(ImageOptionsTest.class.getClassLoader()));
        BackendProvider provider = providers.backends().providers().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), providers.keys(List.of()));
        return new ProgramBackends(new Selected<>(provider, "by the test"), config, false, Optional.empty());
    }

    private static ImageOptions wishes(String... options) {
        return CommandLine.populateCommand(new ImageOptions(), options);
    }
}
