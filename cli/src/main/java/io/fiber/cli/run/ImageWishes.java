// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.cli.image.ImageBuild;
import io.fiber.cli.image.ImageLayout;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.Setting;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Program;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The option that asks for an image of the class path. */
public final class ImageWishes {

    /** By convention an option of this name is the image of jobs that name none. */
    private static final String IMAGE_OPTION = "image";

    @Option(
            names = "--to",
            paramLabel = "IMAGE",
            description =
                    "Build an image of the class path, push it to this name, and run it: registry.example.org/team/app."
                            + " Without it the class path is sent to each job.")
    private Optional<String> destination = Optional.empty();

    /** Creates wishes for no image. */
    public ImageWishes() {}

    /**
     * Returns the program and its image, which is built and pushed where one was asked for.
     *
     * @param base the image that the command line names
     * @param said is told what happens
     * @throws FiberException FBR-552 when the program is no Java program with a class path, or the backend runs no images;
     *     FBR-548 to FBR-551 when the image cannot be made
     */
    public Imaged image(Program program, Optional<String> base, ProgramBackends chosen, Consumer<String> said)
            throws InterruptedException {
        if (destination.isEmpty()) {
            return new Imaged(program, base);
        }
        BackendProvider provider = chosen.backend().provider();
        if (!provider.capabilities().contains(Capability.IMAGE)) {
            throw refused(
                    "the backend '" + provider.name() + "' runs no images", "Leave --to away, or choose another one");
        }
        if (!(program instanceof Program.Java java)) {
            throw refused(
                    "only a Java program has a class path to make one of",
                    "Leave --to away, and name by --image one that has the program");
        }
        ImageLayout layout = ImageLayout.of(java);
        ImageBuild.Names names = new ImageBuild.Names(base.orElseGet(() -> configured(chosen)), destination.get());
        return new Imaged(layout.program(), Optional.of(new ImageBuild(System.getenv(), said).run(layout, names)));
    }

    private static FiberException refused(String why, String fix) {
        return new FiberException("FBR-552", "--to asks for an image, and " + why + ". " + fix + ".");
    }

    private static String configured(ProgramBackends chosen) {
        return chosen.config()
                .text(ConfigKey.IMAGE)
                .map(Setting::value)
                .or(() -> chosen.config().optionsOf(chosen.backend().provider()).text(IMAGE_OPTION))
                .orElseGet(() -> "eclipse-temurin:" + Runtime.version().feature() + "-jre");
    }
}
