// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of a project that is no module of this build and knows of Fiber what is installed; with the repository that Maven builds it
 * from. Both are removed at the end.
 *
 * @param repository has the jars of this build, and links to all others
 * @param directory of the copy
 */
record StandaloneProject(Path repository, Path directory) implements AutoCloseable {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** How a program ended, and what it wrote. */
    record Outcome(int code, String output) {}

    /** Copies a project of the directory {@code examples}. */
    static StandaloneProject copyOf(String name) throws IOException {
        StandaloneProject project = new StandaloneProject(
                Files.createTempDirectory("fiber-repository"), Files.createTempDirectory("fiber-project"));
        new InstalledModules(ROOT, System.getProperty("fiber.version"))
                .into(project.repository, Path.of(System.getProperty("maven.repository")));
        project.copy(ROOT.resolve("examples").resolve(name));
        return project;
    }

    /** Copies and builds a project of the directory {@code examples}. */
    static StandaloneProject build(String name) throws Exception {
        StandaloneProject project = copyOf(name);
        Outcome outcome = project.maven(
                "-DskipTests",
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                "-Dmdep.outputFile=" + project.directory.resolve("class-path"));
        assertThat(outcome.code()).as(outcome.output()).isZero();
        return project;
    }

    private void copy(Path from) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(each -> !from.relativize(each).startsWith("target"))
                    .toList()) {
                Path copy = directory.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    /** Runs Maven in the project. */
    Outcome maven(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(
                List.of(System.getProperty("maven.program"), "-q", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
        words.addAll(List.of(arguments));
        return run(directory, words);
    }

    /** Returns the class path of the project's tests, without the classes of this build. */
    String classPath() {
        try {
            return String.join(
                    ":",
                    directory.resolve("target/classes").toString(),
                    directory.resolve("target/test-classes").toString(),
                    Files.readString(directory.resolve("class-path")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs tests of the project, as {@link KitRun} names them.
     *
     * @param work where they run: a directory with classes that stand before what Maven has compiled, and then a report
     */
    Outcome runKit(Path work, String... selected) throws Exception {
        String classPath = String.join(
                ":",
                work.toString(),
                classPath(),
                Path.of("target/test-classes").toAbsolutePath().toString());
        assertThat(classPath).doesNotContain("backend-local");
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath,
                KitRun.class.getName()));
        words.addAll(List.of(selected));
        return run(work, words);
    }

    /** Runs a program of the project in a directory, where it also leaves its temporary files. */
    Outcome java(Path work, String program) throws Exception {
        return run(
                work,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.io.tmpdir=" + work,
                        "-cp",
                        classPath(),
                        program));
    }

    private static Outcome run(Path directory, List<String> words) throws Exception {
        Path log = directory.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "MAVEN_ARGS"));
        builder.environment().put("MAVEN_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(9, TimeUnit.MINUTES))
                    .as("%s ends", words)
                    .isTrue();
            return new Outcome(process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Without following the links of the repository. */
    @Override
    public void close() throws IOException {
        for (Path each : List.of(repository, directory)) {
            try (Stream<Path> files = Files.walk(each)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
