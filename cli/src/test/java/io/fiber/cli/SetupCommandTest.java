// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetupCommandTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void settingsCountAsForPrograms() throws Exception {
        Cli.Result printed = Cli.in(directory)
                .run("setup", "kubernetes", "--print", "-s", "kubernetes.namespace=lab", "--service-account", "anna");
        Cli.Result unknown = Cli.in(directory).run("setup", "kubernetes", "--print", "-s", "kubernetes.contxt=lab");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.out()).contains("kind: ServiceAccount\n", "  name: anna\n", "  namespace: lab\n");
        assertThat(unknown.err()).contains("kubernetes.contxt", "-s ", "kubernetes.context");
        assertThat(unknown.code()).isNotZero();
    }
}
