// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.slurm.Cluster;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines for shells, run by those that this host has. */
class RemoteLineTest {

    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "dash", "tcsh", "fish"})
    void everyShellRunsAScriptAsItIs(String shell) {
        assumeThat(LocalCommands.find(shell, Environment.system()))
                .as("the shell " + shell + " of this host")
                .isPresent();
        String text =
                "it's \\ \\\\ \\n \\0041 !! $HOME ~ * `id` $(id) \"two\"  blanks; # % %s äöü \t& | < > [a] {b,c} ^ -";
        String script =
                "text=" + BatchScript.quoted(text) + "\nif true; then\n  printf '<%s>\\n' \"$text\"\nfi\nexit 3";

        Commands.Answer answer = run(shell, RemoteLine.of(script));

        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(RemoteLine.answer(answer.output(), answer.errors()))
                .contains(new Commands.Answer(3, "<" + text + ">\n", ""));
    }

    @Test
    void whatWasPrintedBeforeTheScriptIsNotItsOwn() {
        Commands.Answer answer =
                run("bash", "echo Welcome; echo 42; echo Beware >&2; " + RemoteLine.of("echo mine; echo its >&2"));

        assertThat(RemoteLine.answer(answer.output(), answer.errors()))
                .contains(new Commands.Answer(0, "mine\n", "its\n"));
    }

    @Test
    void shellThatEndsBeforeTheScriptHasNotBegunIt() {
        Commands.Answer answer = run("bash", "echo This account is not available.; exit 0; " + RemoteLine.of("true"));

        assertThat(RemoteLine.hasBegun(answer.output())).isFalse();
        assertThat(RemoteLine.answer(answer.output(), answer.errors())).isEmpty();
    }

    @Test
    void scriptThatWasCutShortHasNoAnswer() {
        Commands.Answer answer = run("bash", RemoteLine.of("echo half; kill -9 $$"));

        assertThat(RemoteLine.hasBegun(answer.output())).isTrue();
        assertThat(RemoteLine.answer(answer.output(), answer.errors())).isEmpty();
    }

    private static Commands.Answer run(String shell, String line) {
        return Cluster.answer("env", "LC_ALL=C.UTF-8", shell, "-c", line);
    }
}
