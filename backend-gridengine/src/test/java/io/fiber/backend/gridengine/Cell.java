// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Grid Engine's programs, for tests that look without the backend. */
final class Cell {

    static final String ROOT = System.getenv().getOrDefault("SGE_ROOT", "");

    private Cell() {}

    /** Submits a job without output and returns its number. */
    static String submit(String... words) {
        String[] all = Stream.concat(
                        Stream.of("qsub", "-terse", "-o", "/dev/null", "-e", "/dev/null"), Stream.of(words))
                .toArray(String[]::new);
        String id = run(all).strip();
        assertThat(id).as("id of the job").matches("\\d+");
        return id;
    }

    /** Returns the letters of a job's state; empty if it is not listed. */
    static String stateOf(String job) {
        return row(job).map(row -> row.split("\\s+", -1)[4]).orElse("");
    }

    /** Returns the row of a job, or of a task ({@code 7.1}), in the list of all. */
    static Optional<String> row(String id) {
        String[] parts = id.split("\\.", -1);
        return run("qstat", "-u", "*", "-g", "d")
                .lines()
                .map(String::strip)
                .filter(row -> row.startsWith(parts[0] + " ") && (parts.length == 1 || row.endsWith(" " + parts[1])))
                .findFirst();
    }

    /** Returns a line for each job that a session has left, in whatever state. */
    static List<String> left(String sessionId) {
        return run("qstat", "-u", "*", "-r")
                .lines()
                .filter(line -> line.contains("Full jobname:") && line.contains("fiber-" + sessionId))
                .toList();
    }

    /** Runs a program and returns what it wrote to standard output. */
    static String run(String... words) {
        try {
            Process process = new ProcessBuilder(words)
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
