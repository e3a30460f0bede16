// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        return run("qstat", "-u", "*")
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words[0].equals(job))
                .map(words -> words[4])
                .findFirst()
                .orElse("");
    }

    /** Returns the jobs that a session has left, in whatever state. */
    static List<String> left() {
        return run("qstat", "-u", "*", "-r")
                .lines()
                .filter(line -> line.contains("Full jobname:") && line.contains("fiber-"))
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
