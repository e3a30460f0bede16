// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs short commands of the system. */
final class Command {

    private Command() {}

    /** The output and the exit code of a command. */
    record Outcome(int exitCode, String output) {}

    /** Runs a command to its end; a missing one counts as failed. */
    static Outcome tried(List<String> words) {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output.strip());
        } catch (IOException e) {
            return new Outcome(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while '" + String.join(" ", words) + "' ran", e);
        }
    }

    /** Runs a command that must succeed. */
    static void run(String... words) {
        Outcome outcome = tried(List.of(words));
        if (outcome.exitCode() != 0) {
            throw new IllegalStateException("'" + String.join(" ", words) + "' ended with exit code "
                    + outcome.exitCode() + ": " + outcome.output());
        }
    }
}
