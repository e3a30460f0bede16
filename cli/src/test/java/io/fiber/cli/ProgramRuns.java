// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs of the programs of {@link ExampleJars} by {@code fiber run}.
 *
 * @param cli the command
 * @param options say where
 * @param classPath of the programs
 */
record ProgramRuns(Cli cli, List<String> options, String classPath) {

    private static final int OWN_CODE = 7;
    private static final int AFTER_CTRL_C = 130;

    private String[] words(String main, String... arguments) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(options);
        words.addAll(List.of("--", "java", "-cp", classPath, main));
        words.addAll(Arrays.asList(arguments));
        return words.toArray(String[]::new);
    }

    void assertPiIsEstimated() throws IOException, InterruptedException {
        Cli.Result result = cli.run(words(ExampleJars.PI_ESTIMATION, "100000", "2"));

        assertThat(result.out()).as(result.err()).startsWith("Pi is roughly 3.1");
        assertThat(result.code()).isZero();
    }

    void assertExitCodeIsPassedOn() throws IOException, InterruptedException {
        Cli.Result result = cli.run(words(Darts.class.getName(), Integer.toString(OWN_CODE)));

        assertThat(result.out().lines()).as(result.err()).first().isEqualTo("ready");
        assertThat(result.out()).contains("Pi is roughly 3.1");
        assertThat(result.code()).isEqualTo(OWN_CODE);
    }

    /** The first line comes while the program works on: output is not kept until the end. */
    void assertCtrlCEndsIt(Runnable meanwhile) throws IOException, InterruptedException {
        Process process = cli.builder(words(Endless.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("at work");
            meanwhile.run();
            Cli.signal("INT", process.pid());
            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
        } finally {
            process.destroyForcibly();
        }
    }
}
