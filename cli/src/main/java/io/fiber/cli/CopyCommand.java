// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.copy.Copying;
import io.fiber.cli.copy.Direction;
import io.fiber.cli.copy.Place;
import io.fiber.cli.copy.Totals;
import io.fiber.cli.run.ProgramBackends;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.Program;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber cp}. */
@Command(
        name = "cp",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Copies files to and from a volume of a backend.",
        customSynopsis = {"fiber cp [OPTIONS] PATH VOLUME:PATH", "fiber cp [OPTIONS] VOLUME:PATH PATH"},
        description = {
            "",
            "VOLUME is a PersistentVolumeClaim of Kubernetes or a volume of Docker. If a backend has no volumes"
                    + " (slurm, local), leave it out: ':PATH' is a path as processes see it there, absolute or"
                    + " relative to your home.",
            "Directories are copied with their content; 'DIR/.' stands for the content of DIR. If the destination is"
                    + " a directory or ends with a slash, the copy goes into it; otherwise the copy gets that name.",
            "A file gets its name only when its size and SHA-256 are those of the original, so no file is ever"
                    + " incomplete under its name.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was copied",
            "1:something was not copied; a message says why. Each file that has its name is complete",
            "2:the command line is invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber cp --backend kubernetes data.csv training:in/",
            "  fiber cp --backend docker training:out ./results",
            "  fiber cp --backend slurm -s slurm.ssh-host=login model :/scratch/anna/"
        })
final class CopyCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The image of the process that reads or writes there. It needs Java, like the image of a"
                    + " worker.")
    private Optional<String> image = Optional.empty();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print nothing if the copy succeeds.")
    private boolean quiet;

    @Option(names = "--json", description = "Print the numbers of files and bytes as JSON.")
    private boolean json;

    @Parameters(index = "0", paramLabel = "SRC", description = "What to copy.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DST", description = "Where to copy it.")
    private String destination = "";

    @Override
    public Integer call() {
        Place from = Place.of(source);
        Place to = Place.of(destination);
        if (from instanceof Place.Here here && to instanceof Place.There there) {
            copy(Direction.THERE, here, there);
        } else if (from instanceof Place.There there && to instanceof Place.Here here) {
            copy(Direction.HERE, here, there);
        } else {
            throw new ParameterException(
                    spec.commandLine(),
                    "One of '" + source + "' and '" + destination
                            + "' must be a PATH of this host, and the other one VOLUME:PATH, or :PATH if the backend"
                            + " has no volumes.");
        }
        return 0;
    }

    private void copy(Direction direction, Place.Here here, Place.There there) {
        PrintWriter err = spec.commandLine().getErr();
        CopyProgress progress = CopyProgress.on(quiet ? Optional.empty() : Optional.of(err));
        try (ProgramBackends chosen =
                ProgramBackends.select(new Program.Command(List.of("cp")), session.backend(), session.sources())) {
            Totals totals = new Copying(
                            new Copying.Terms(
                                    chosen.backend().provider(),
                                    session.inCode(),
                                    image,
                                    event -> tell(event, progress),
                                    progress),
                            direction,
                            here,
                            there)
                    .run();
            progress.ends(totals);
            if (json) {
                Map<String, Object> map = new LinkedHashMap<>();
                map.put("files", totals.files());
                map.put("directoriesAndLinks", totals.others());
                map.put("bytes", totals.bytes());
                spec.commandLine().getOut().println(Json.of(map));
            }
        } finally {
            progress.clear();
        }
    }

    private static void tell(JobEvent event, CopyProgress progress) {
        if (event instanceof JobEvent.Waiting waiting) {
            progress.say("job " + event.job().id() + " waits: " + waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            progress.say("job " + event.job().id() + " runs on " + running.host());
        }
    }
}
