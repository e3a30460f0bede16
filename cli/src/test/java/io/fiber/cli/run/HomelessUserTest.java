// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user of a container that has no name, whose home the JVM calls {@code ?}. */
class HomelessUserTest {

    @TempDir
    Path tmp;

    private Environment homeless() {
        return Environment.of(
                Map.of(), Map.of("user.home", "?", "user.name", "anna", "java.io.tmpdir", tmp.toString()));
    }

    @Test
    void runsAreKeptInATemporaryDirectory() {
        Path output = Runs.of(homeless()).prepare("abc");

        assertThat(output).isEqualTo(tmp.resolve("fiber-home-anna/.local/state/fiber/runs/abc/output.log"));
        assertThat(output.getParent()).isDirectory();
        assertThat(Path.of("?")).doesNotExist();
    }

    @Test
    void directoryThatCannotBeMadeIsAnError() throws Exception {
        Files.writeString(tmp.resolve("fiber-home-anna"), "a file");

        assertThatThrownBy(() -> Runs.of(homeless()))
                .hasMessageStartingWith(
                        "FBR-533 This user has no home directory for the records of runs, and no other directory can"
                                + " be created: ")
                .hasMessageContaining(
                        "fiber-home-anna' cannot hold files of this session, because it is not a directory")
                .hasMessageEndingWith(" Set XDG_STATE_HOME to a writable directory.");
    }
}
