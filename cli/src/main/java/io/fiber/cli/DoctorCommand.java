// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.doctor.Doctor;
import io.fiber.cli.doctor.Finding;
import io.fiber.spi.OptionType;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            "Looks at this JVM, its host, the class path and the settings; opens the backend that a program would get; runs"
                    + " a small job on it, which looks around where it runs and calls back by UDP and TCP.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is wrong",
            "1:something is wrong: a line begins with FAULT",
            "2:the command line is wrong"
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

    private static final int LEVEL_WIDTH = 5;
    private static final int SUBJECT_WIDTH = 15;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SessionOptions session = new SessionOptions();

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description =
                    "Look at the providers on this class path, which is a program's, instead of this command's own.")
    private Optional<String> classPath = Optional.empty();

    @Option(
            names = "--depth",
            paramLabel = "DEPTH",
            description =
                    "How far to go: host (this machine alone), backend (opens it), job (runs one). Default: ${DEFAULT-VALUE}.")
    private Doctor.Depth depth = Doctor.Depth.JOB;

    @Option(names = "--image", paramLabel = "IMAGE", description = "The image of the job, on a backend of containers.")
    private Optional<String> image = Optional.empty();

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait for the job, in a queue too. Default: ${DEFAULT-VALUE}.")
    private String wait = "";

    @Option(names = "--json", description = "Print an array of findings, for programs.")
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
                        print(finding);
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

    private void print(Finding finding) {
        PrintWriter out = spec.commandLine().getOut();
        String level = finding.level() == Finding.Level.FAULT
                ? "FAULT"
                : finding.level().name().toLowerCase(Locale.ROOT);
        out.println(
                padded(level, LEVEL_WIDTH) + "  " + padded(finding.subject(), SUBJECT_WIDTH) + "  " + finding.text());
        finding.fix().ifPresent(fix -> out.println(" ".repeat(LEVEL_WIDTH + SUBJECT_WIDTH + 4) + "-> " + fix));
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
