// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SetupCommandTest extends CliFixture {

    @Test
    void settingsCountAsForPrograms() throws Exception {
        Cli.Result printed = cli.run(
                "setup", "kubernetes", "--print", "-s", "kubernetes.namespace=lab", "--service-account", "anna");
        Cli.Result unknown = cli.run("setup", "kubernetes", "--print", "-s", "kubernetes.contxt=lab");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.out()).contains("kind: ServiceAccount\n", "  name: anna\n", "  namespace: lab\n");
        assertThat(unknown.err()).contains("kubernetes.contxt", "-s ", "kubernetes.context");
        assertThat(unknown.code()).isNotZero();
    }
}
