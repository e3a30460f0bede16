// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users do with it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class SessionTest {

    @Test
    void tasksOfAPoolRunInJobsOfTheBackend() throws Exception {
        try (FixtureDirectory directory = FixtureDirectory.open()) {
            SmallPbs pbs = SmallPbs.in(directory.path());
            Path log = directory.path().resolve("log");
            ProcessBuilder program = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-Dfiber.pbs.directory=" + directory.path().resolve("shared"),
                            "-Dfiber.pbs.address=127.0.0.1",
                            Squares.class.getName()))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            program.environment().put("PATH", pbs.environment().variable("PATH").orElseThrow());
            Process process = program.start();
            try {
                assertThat(process.waitFor()).as(() -> text(log)).isZero();
            } finally {
                process.destroyForcibly().waitFor();
            }
            assertThat(text(log)).contains("squares [1, 4, 9]");
            pbs.awaitEnds();
            assertThat(directory.path().resolve("queue/1.1/state")).hasContent("C");
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
