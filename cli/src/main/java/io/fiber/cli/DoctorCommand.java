// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.doctor.Doctor;
import io.fiber.cli.doctor.Finding;
import io.fiber.cli.run.ClassPath;
import io.fiber.spi.OptionType;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fiber doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Finds out why programs do not run here, and says what to do.",
        description = {
            "",
            "Checks this JVM, its host, the class path and the settings. Then opens the backend that a program would"
                    + " get, and runs a small job on it, which checks the place where it runs and calls back by UDP"
                    + " and TCP.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is no fault",
            "1:there is a fault: a line begins with FAULT",
            "2:the command line is invalid"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber doctor",
            "  fiber doctor --backend slurm --set slurm.ssh-host=login.example.org",
            "  fiber doctor --class-path 'app.jar:lib/*'     the providers that this program brings",
            "  fiber doctor --backend docker --image eclipse-temurin:21-jre",
            "  fiber doctor --depth host --json"
        })
final class DoctorCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description = "Check the providers on this class path of a program instead of this command's own.")
    private Optional<String> classPath = Optional.empty();

    @Option(
            names = "--depth",
            paramLabel = "DEPTH",
            description =
                    "How far to go: host (checks this machine only), backend (also opens it), job (also runs one)."
                            + " Default: ${DEFAULT-VALUE}.")
    private Doctor.Depth depth = Doctor.Depth.JOB;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The image of the job, on a backend with" + " containers.")
    private Optional<String> image = Optional.empty();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait for the job, including its time in a queue. Default: ${DEFAULT-VALUE}.")
    private String wait = "";

    @Option(names = "--json", description = "Print the findings as a JSON array.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Finding> found = new ArrayList<>();
        if (classPath.isPresent()) {
            try (URLClassLoader loader = ClassPath.loader(ClassPath.entries(classPath.get()))) {
                // Libraries of a backend look for their own parts with this loader.
                Thread.currentThread().setContextClassLoader(loader);
                examine(List.of(loader), found);
            }
        } else {
            examine(List.of(DoctorCommand.class.getClassLoader()), found);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(found.stream().map(Finding::toMap).toList()));
        }
        long faults = found.stream()
                .filter(each -> each.level() == Finding.Level.FAULT)
                .count();
        if (!json) {
            out.println(faults == 0 ? "Nothing is wrong." : faults + (faults == 1 ? " fault." : " faults."));
        }
        return faults == 0 ? 0 : 1;
    }

    private void examine(List<ClassLoader> loaders, List<Finding> found) throws InterruptedException {
        FindingLines lines = new FindingLines(Terminal.width(), Terminal.hasColour());
        PrintWriter out = spec.commandLine().getOut();
        Doctor.Questions questions = new Doctor.Questions(
                session.sources(),
                loaders,
                classPath.map(ClassPath::missing).orElse(List.of()),
                depth,
                image,
                duration(wait));
        new Doctor(questions, finding -> {
                    found.add(finding);
                    if (!json) {
                        lines.of(finding).forEach(out::println);
                    }
                })
                .run();
    }

    private Duration duration(String text) {
        try {
            return OptionType.parseDuration(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--wait: " + e.getMessage(), e);
        }
    }
}
