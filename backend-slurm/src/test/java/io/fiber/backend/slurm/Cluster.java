// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Slurm's programs, for tests that look without the backend. */
final class Cluster {

    private Cluster() {}

    /** Runs a program and returns how it ended and what it wrote, which is little. */
    static Commands.Answer answer(String... words) {
        try {
            Process process = new ProcessBuilder(List.of(words)).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Commands.Answer(process.waitFor(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a program and returns what it wrote to standard output. */
    static String run(String... words) {
        try {
            Process process = new ProcessBuilder(List.of(words))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
