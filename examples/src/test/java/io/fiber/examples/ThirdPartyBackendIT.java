// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.examples.StandaloneProject.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A backend that uses the SPI alone, in a project of its own. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ThirdPartyBackendIT {
    private static final String KIT = "com.example.fiber.shell.ShellBackendTest";
    private static final String SESSION = "com.example.fiber.shell.SessionTest";
    private static final String BOOTSTRAP_FILE = "src/main/java/com/example/fiber/shell/JobDirectory.java";

    private static StandaloneProject project;

    @TempDir
    private Path directory;

    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    static void installAndBuild() throws Exception {
        project = StandaloneProject.build("third-party-backend");
    }

    @AfterAll
    static void remove() throws IOException {
        project.close();
    }

    @Test
    void projectOfAStrangerIsBuiltAndItsBackendWorks() throws Exception {
        Outcome outcome = project.runKit(directory, KIT + "/Bootstrap", KIT + "/Orphans", SESSION);
        assertThat(outcome.code()).as(outcome.output()).isZero();
        // BKD-702 is about backends that use standard input.
        assertThat(outcome.output()).contains("13 tests passed.");
        assertThat(report()).contains("| BKD-703 | passed |", "| BKD-611 | passed |");
    }

    @Test
    void reportNamesTheClauseThatABugBreaks() throws Exception {
        String right = Files.readString(project.directory().resolve(BOOTSTRAP_FILE));
        String wrong = right.replace("\"rw-------\"", "\"rw-r--r--\"");
        assertThat(wrong).isNotEqualTo(right);
        compile(Files.writeString(directory.resolve("JobDirectory.java"), wrong));
        Outcome outcome = project.runKit(directory, KIT + "/Bootstrap");
        assertThat(outcome.code()).as(outcome.output()).isEqualTo(1);
        assertThat(outcome.output()).contains("BKD-703", "a bootstrap file can be read by its owner only");
        assertThat(report()).contains("| BKD-703 | failed |", "| BKD-701 | passed |");
    }

    /** As its author would: all clauses, by Maven alone. */
    @Test
    @Tag("soak")
    void wholeKitPasses() throws Exception {
        Outcome outcome = project.maven("verify");
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(Files.readString(project.directory().resolve("target/fiber-tck/shell.md")))
                .contains("0 failed");
    }

    /** What is compiled here stands before what Maven has compiled. */
    private void compile(Path source) {
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", directory.toString(), "-cp", project.classPath(), source.toString());
        assertThat(code).isZero();
    }

    private String report() throws IOException {
        return Files.readString(directory.resolve("target/fiber-tck/shell.md"));
    }
}
