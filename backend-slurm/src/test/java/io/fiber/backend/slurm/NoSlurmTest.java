// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole session on a host that has no Slurm. */
class NoSlurmTest {

    @TempDir
    Path directory;

    /** What a user would run. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Fiber fiber = Fiber.builder()
                    .backend("slurm")
                    .set("fiber.slurm.directory", arguments[0])
                    .open()) {
                System.out.println("opened " + fiber.describe());
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void sessionWithoutSbatchSaysWhereItWasLookedForAndLeavesNothing() throws Exception {
        Path shared = directory.resolve("shared");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        shared.toString())
                .redirectErrorStream(true);
        builder.environment().put("PATH", directory.toString());
        Process program = builder.start();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).isZero();
        assertThat(said)
                .contains("FBR-105 Backend 'slurm'")
                .contains("sbatch was not found on PATH=" + directory)
                .contains("run on a login node");
        assertThat(directory).isEmptyDirectory();
    }
}
