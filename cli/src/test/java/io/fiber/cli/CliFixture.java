// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The command in an empty directory. */
abstract class CliFixture {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    Cli cli = Cli.in(Path.of(""));

    @BeforeEach
    void inAnEmptyDirectory() {
        cli = Cli.in(directory);
    }
}
