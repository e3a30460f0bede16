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
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The backend of {@code docs/writing-a-backend.md} in a project of its own, which knows of Fiber what is installed. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ThirdPartyBackendIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String KIT = "com.example.fiber.shell.ShellBackendTest";
    private static final String SESSION = "com.example.fiber.shell.SessionTest";
    private static final String BOOTSTRAP_FILE = "src/main/java/com/example/fiber/shell/JobDirectory.java";

    private static Path repository;
    private static Path project;

    @TempDir
    private Path directory;

    private record Outcome(int code, String output) {}

    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    static void installAndBuild() throws Exception {
        repository = Files.createTempDirectory("fiber-repository");
        project = Files.createTempDirectory("fiber-project");
        new InstalledModules(ROOT, System.getProperty("fiber.version"))
                .into(repository, Path.of(System.getProperty("maven.repository")));
        copyProject();
        Outcome outcome = maven(
                "-DskipTests",
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                "-Dmdep.outputFile=" + project.resolve("class-path"));
        assertThat(outcome.code()).as(outcome.output()).isZero();
    }

    /** Without following the links of the repository. */
    @AfterAll
    static void remove() throws IOException {
        for (Path each : List.of(repository, project)) {
            try (Stream<Path> files = Files.walk(each)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void projectOfAStrangerIsBuiltAndItsBackendWorks() throws Exception {
        Outcome outcome = runKit(KIT + "/Bootstrap", KIT + "/Orphans", SESSION);
        assertThat(outcome.code()).as(outcome.output()).isZero();
        // BKD-702 is about backends that use standard input.
        assertThat(outcome.output()).contains("13 tests passed.");
        assertThat(report()).contains("| BKD-703 | passed |", "| BKD-611 | passed |");
    }

    @Test
    void reportNamesTheClauseThatABugBreaks() throws Exception {
        String right = Files.readString(project.resolve(BOOTSTRAP_FILE));
        String wrong = right.replace("\"rw-------\"", "\"rw-r--r--\"");
        assertThat(wrong).isNotEqualTo(right);
        compile(Files.writeString(directory.resolve("JobDirectory.java"), wrong));
        Outcome outcome = runKit(KIT + "/Bootstrap");
        assertThat(outcome.code()).as(outcome.output()).isEqualTo(1);
        assertThat(outcome.output()).contains("BKD-703", "a bootstrap file can be read by its owner only");
        assertThat(report()).contains("| BKD-703 | failed |", "| BKD-701 | passed |");
    }

    /** As its author would: all clauses, by Maven alone. */
    @Test
    @Tag("soak")
    void wholeKitPasses() throws Exception {
        Outcome outcome = maven("verify");
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(Files.readString(project.resolve("target/fiber-tck/shell.md")))
                .contains("0 failed");
    }

    /** What is compiled here stands before what Maven has compiled. */
    private void compile(Path source) {
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", directory.toString(), "-cp", classPath(), source.toString());
        assertThat(code).isZero();
    }

    private static void copyProject() throws IOException {
        Path from = ROOT.resolve("examples/third-party-backend");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(each -> !from.relativize(each).startsWith("target"))
                    .toList()) {
                Path copy = project.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private String classPath() {
        try {
            return String.join(
                    ":",
                    directory.toString(),
                    project.resolve("target/classes").toString(),
                    project.resolve("target/test-classes").toString(),
                    Files.readString(project.resolve("class-path")).strip(),
                    Path.of("target/test-classes").toAbsolutePath().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Outcome maven(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(
                List.of(System.getProperty("maven.program"), "-q", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
        words.addAll(List.of(arguments));
        return run(project, words);
    }

    private Outcome runKit(String... selected) throws Exception {
        assertThat(classPath()).doesNotContain("backend-local");
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath(),
                KitRun.class.getName()));
        words.addAll(List.of(selected));
        return run(directory, words);
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

    private String report() throws IOException {
        return Files.readString(directory.resolve("target/fiber-tck/shell.md"));
    }
}
