// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.cli.image.DockerfileBuild;
import io.fiber.cli.image.ImageBuild;
import io.fiber.cli.image.ImageLayout;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Program;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/**
 * The options for building an image: of the class path, of a Dockerfile, or of the class path on top of a Dockerfile.
 */
public final class ImageOptions {

    /** By convention, an option of this name is the default image of jobs. */
    private static final String IMAGE_OPTION = "image";

    /** The platform that has what its engine builds, without a registry. The contract has no way to express that. */
    private static final String ENGINE_BACKEND = "docker";

    private static final String ENGINE_OPTION = "host";
    private static final String ENGINE_VARIABLE = "DOCKER_HOST";

    @Option(
            names = "--push-image",
            paramLabel = "IMAGE",
            description = "Build an image of the class path, push it under this name, and run it:"
                    + " registry.example.org/team/app. Without this option, the class path is sent to each"
                    + " job.")
    private Optional<String> destination = Optional.empty();

    @Option(
            names = "--dockerfile",
            paramLabel = "FILE",
            description = "Have Docker build the image from this Dockerfile, with its directory as the context. With"
                    + " --push-image, the class path is added to this image and the result is pushed. Without"
                    + " it, the backend docker runs the image.")
    private Optional<Path> dockerfile = Optional.empty();

    /** Creates options without an image. */
    public ImageOptions() {}

    /** Returns whether an image is to be built. */
    public boolean isAskedFor() {
        return destination.isPresent() || dockerfile.isPresent();
    }

    /**
     * Returns the program of a command line. If none of the files of a Java program is on this host, the program is
     * assumed to be in the image that is built for it, and its words run unchanged.
     *
     * @throws FiberException as {@link MasterProgram#of}
     */
    public Program program(List<String> words, String defaultClassPath) {
        try {
            Program program = MasterProgram.of(words, defaultClassPath);
            return dockerfile.isPresent() && program instanceof Program.Java java && !MasterProgram.isHere(java)
                    ? new Program.Command(words)
                    : program;
        } catch (FiberException e) {
            if (dockerfile.isPresent() && e.getCause() instanceof NoSuchFileException) {
                return new Program.Command(words);
            }
            throw e;
        }
    }

    /**
     * Returns the program and its image, which is built and pushed if requested.
     *
     * @param named the image that the command line names
     * @param said receives the progress; empty with --quiet
     * @throws FiberException FBR-552 or FBR-557 if the requested image cannot be used; FBR-548 to FBR-551 if it cannot
     *     be built or pushed, FBR-553, FBR-555, FBR-556 if that of the Dockerfile cannot be built
     */
    public Imaged image(
            Program program, Optional<String> named, ProgramBackends chosen, Optional<Consumer<String>> said)
            throws InterruptedException {
        if (!isAskedFor()) {
            return new Imaged(program, named);
        }
        check(program, named, chosen.backend().provider());
        Map<String, String> environment = environment(chosen);
        Optional<String> built = Optional.empty();
        if (dockerfile.isPresent()) {
            built = Optional.of(new DockerfileBuild(environment, said).run(dockerfile.get()));
        }
        if (destination.isEmpty()) {
            return new Imaged(program, built);
        }
        String base = built.map(ImageBuild.ENGINE::concat).or(() -> named).orElseGet(() -> configured(chosen));
        ImageBuild.Names names = new ImageBuild.Names(base, destination.get());
        ImageBuild build = new ImageBuild(environment, said.orElse(line -> {}));
        if (program instanceof Program.Java java) {
            ImageLayout layout = ImageLayout.of(java);
            return new Imaged(layout.program(), Optional.of(build.run(layout, names)));
        }
        return new Imaged(program, Optional.of(build.run(names)));
    }

    /** Rejects unusable combinations first, because building takes minutes. */
    private void check(Program program, Optional<String> named, BackendProvider provider) {
        String option = dockerfile.isPresent() ? "--dockerfile" : "--push-image";
        if (!provider.capabilities().contains(Capability.IMAGE)) {
            throw refused(
                    option,
                    "the backend '" + provider.name() + "' does not run images",
                    "Leave " + option + " out, or choose another backend");
        }
        if (dockerfile.isPresent() && named.isPresent()) {
            throw refused(
                    option,
                    "--image names '" + named.get() + "'",
                    "Leave one of them out; name the base image in FROM of the Dockerfile");
        }
        if (dockerfile.isEmpty() && !(program instanceof Program.Java)) {
            throw refused(
                    option,
                    "only a Java program has a class path for it",
                    "Leave --push-image out, and name an image that has the program with --image");
        }
        if (destination.isEmpty() && !provider.name().equals(ENGINE_BACKEND)) {
            throw new FiberException(
                    "FBR-557",
                    "--dockerfile builds an image in a Docker Engine, but the backend '" + provider.name()
                            + "' takes images from a registry. Name one to which it is pushed:"
                            + " --push-image registry.example.org/team/app");
        }
        destination.ifPresent(ImageBuild::checkDestination);
    }

    private static FiberException refused(String option, String why, String fix) {
        return new FiberException("FBR-552", option + " asks for an image, but " + why + ". " + fix + ".");
    }

    /** Returns the variables of this command, with the engine on which the backend runs. */
    private static Map<String, String> environment(ProgramBackends chosen) {
        BackendProvider provider = chosen.backend().provider();
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (provider.name().equals(ENGINE_BACKEND)) {
            chosen.config()
                    .optionsOf(provider)
                    .text(ENGINE_OPTION)
                    .ifPresent(host -> environment.put(ENGINE_VARIABLE, host));
        }
        return environment;
    }

    private static String configured(ProgramBackends chosen) {
        return chosen.config()
                .text(ConfigKey.IMAGE)
                .or(() -> chosen.config().optionsOf(chosen.backend().provider()).text(IMAGE_OPTION))
                .orElseGet(() -> "eclipse-temurin:" + Runtime.version().feature() + "-jre");
    }
}
