// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fiber.examples.StandaloneProject.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs of docs/libraries.md, each with its library. Maven downloads 350 MB for them, once. */
@Tag("soak")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LibrariesIT {
    private static final Path SOURCES = Path.of("libraries/src/main").toAbsolutePath();

    private static final Pattern PROGRAM = Pattern.compile("(static void|fun) main\\(");

    private static final Pattern UNREACHABLE = Pattern.compile("Could not transfer artifact|in offline mode");

    private static StandaloneProject project;

    @TempDir
    private Path directory;

    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    static void build() throws Exception {
        project = StandaloneProject.copyOf("libraries");
        Outcome outcome = project.maven(
                "test",
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + project.directory().resolve("class-path"),
                "-Dmaven.test.failure.ignore");
        assumeTrue(
                outcome.code() == 0 || !UNREACHABLE.matcher(outcome.output()).find(),
                "The libraries are not in the local repository, and Maven Central cannot be reached.");
        assertThat(outcome.code()).as(outcome.output()).isZero();
    }

    @AfterAll
    static void remove() throws IOException {
        project.close();
    }

    static List<String> programs() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<String> programs = files.filter(
                            file -> PROGRAM.matcher(text(file)).find())
                    .map(file ->
                            file.getFileName().toString().replace(".java", "").replace(".kt", "Kt"))
                    .sorted()
                    .toList();
            assertThat(programs).hasSizeGreaterThan(12);
            return programs;
        }
    }

    /** Returns the text of a source file, or nothing. */
    private static String text(Path file) {
        try {
            return file.toString().matches(".*\\.(java|kt)") ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programRunsInWorkersAndChecksItsResults(String program) throws Exception {
        Outcome outcome = project.java(directory, "com.example.libraries." + program);

        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(outcome.output()).containsPattern("(?m)^OK: [1-9]\\d* tasks ran in workers$");
    }

    @Test
    void workersOfSpringBootLogAsTheProgramDoes() throws Exception {
        Outcome outcome = project.java(directory, "com.example.libraries.SpringWork");

        assertThat(outcome.output())
                .contains("INFO  [program] SpringWork: squares: [0, 1, 4, 9, 16, 25, 36, 49, 64, 81]")
                .containsPattern("(?m)^DEBUG \\[p1-pool-1-[12]] SpringWork: squaring 9$");
    }

    /** Those of JUnit, and of libraries that are given the executor of a pool. */
    @Test
    void testsOfTheProjectPass() throws IOException {
        Path reports = project.directory().resolve("target/surefire-reports");
        for (String test : List.of("SquaresTest", "RefusedExecutorTest")) {
            assertThat(Files.readString(reports.resolve("com.example.libraries." + test + ".txt")))
                    .containsPattern("Tests run: [1-9]\\d*, Failures: 0, Errors: 0, Skipped: [01],")
                    .doesNotContain("FAILURE");
        }
    }
}
