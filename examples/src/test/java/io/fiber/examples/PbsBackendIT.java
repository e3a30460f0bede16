// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.examples.StandaloneProject.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The backend of {@code docs/writing-a-backend.md}, for a batch system, in a project of its own. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class PbsBackendIT {
    private static final String KIT = "com.example.fiber.pbs.PbsBackendTest";
    private static final String SESSION = "com.example.fiber.pbs.SessionTest";

    private static StandaloneProject project;

    @TempDir
    private Path directory;

    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    static void installAndBuild() throws Exception {
        project = StandaloneProject.build("pbs-backend");
    }

    @AfterAll
    static void remove() throws IOException {
        project.close();
    }

    @Test
    void batchSystemIsABackendByItsFourPrograms() throws Exception {
        Outcome outcome =
                project.runKit(directory, KIT + "/Bootstrap", KIT + "/Cancellation", KIT + "/Orphans", SESSION);
        assertThat(outcome.code()).as(outcome.output()).isZero();
        // BKD-702 is about backends that use standard input.
        assertThat(outcome.output()).contains("24 tests passed.");
        assertThat(Files.readString(directory.resolve("target/fiber-tck/pbs.md")))
                .contains("| BKD-308 | passed |", "| BKD-310 | passed |", "| BKD-611 | passed |");
    }

    /** As its author would: all clauses, by Maven alone. */
    @Test
    @Tag("soak")
    void wholeKitPasses() throws Exception {
        Outcome outcome = project.maven("verify");
        assertThat(outcome.code()).as(outcome.output()).isZero();
        assertThat(Files.readString(project.directory().resolve("target/fiber-tck/pbs.md")))
                .contains("103 passed, 0 failed, 19 skipped.");
    }
}
