// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of an example as a user runs it: a JVM of its own, without any JVM flag. */
final class ExampleProgram {
    private static final long LIMIT_SECONDS = 170;
    private static final String TARDY_CLOSE = "FBR-409";
    private static final String LOST_WORKERS = "FBR-490";
    /** The file that takes the standard error of the program. */
    private static final String ERRORS = "err";

    private ExampleProgram() {}

    /** Runs it to its end and returns what it printed to standard output; it must end with 0 and complain of nothing. */
    static List<String> run(Path directory, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        return run(directory, words(withoutAeron(), program, arguments), TARDY_CLOSE);
    }

    /** The same with the jars of Aeron, as {@code ./example} runs some of them. */
    static List<String> runWithAeron(Path directory, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        return run(directory, words(System.getProperty("java.class.path"), program, arguments), TARDY_CLOSE);
    }

    private static List<String> words(String classPath, Class<?> program, String... arguments) {
        List<String> words = new ArrayList<>(List.of("-cp", classPath, program.getName()));
        words.addAll(Arrays.asList(arguments));
        return words;
    }

    /** Returns the class path of this test as most programs have it. */
    static String withoutAeron() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry ->
                        !entry.matches(".*/(aeron-[^/]*\\.jar|fiber-transport-aeron-[^/]*\\.jar|transport-aeron/.*)"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The same where it must warn of lost workers, and of nothing more. */
    static List<String> runThatLosesWorkers(Path directory, Class<?> program) throws IOException, InterruptedException {
        List<String> lines = run(directory, words(withoutAeron(), program), TARDY_CLOSE + "|" + LOST_WORKERS);
        assertThat(directory.resolve(ERRORS)).content().contains("WARNING: " + LOST_WORKERS);
        return lines;
    }

    /** The same from the module path, over one of the two transports there. */
    static List<String> runAsModule(Path directory, Class<?> program, String transport)
            throws IOException, InterruptedException {
        return run(
                directory,
                List.of(
                        "-Dfiber.transport=" + transport,
                        "--module-path",
                        ModulePath.of(directory),
                        "--add-modules",
                        "ALL-MODULE-PATH",
                        "-m",
                        "io.fiber.examples/" + program.getName()),
                TARDY_CLOSE);
    }

    private static List<String> run(Path directory, List<String> words, String notices)
            throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve(ERRORS);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(emptyFile(directory).toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            boolean hasEnded = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            String errors = Files.readString(err);
            assertThat(hasEnded).as("ended; standard error:\n%s", errors).isTrue();
            assertThat(process.exitValue())
                    .as("exit code; standard error:\n%s", errors)
                    .isZero();
            assertThat(without(notices, errors)).as("standard error").doesNotContain("WARN", "SEVERE", "Exception");
            return Files.readAllLines(out);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Takes out that a close takes longer than five seconds, as it may on a busy machine. */
    static String withoutNotices(String output) {
        return without(TARDY_CLOSE, output);
    }

    private static String without(String notices, String output) {
        return output.replaceAll("(?m)^.*\\R.*(" + notices + ") .*\\R", "");
    }

    private static Path emptyFile(Path directory) throws IOException {
        return Files.writeString(directory.resolve("in"), "");
    }
}
