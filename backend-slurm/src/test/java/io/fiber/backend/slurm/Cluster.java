// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Slurm's programs, for tests that look without the backend. */
public final class Cluster {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private Cluster() {}

    /** Submits a job from a directory and waits for its end, which {@code sbatch --wait} notices up to half a minute later. */
    static void runJob(Path directory, String... options) {
        String[] words = Stream.concat(
                        Stream.of("env", "-C", directory.toString(), "sbatch", "--parsable"), Stream.of(options))
                .toArray(String[]::new);
        String id = run(words).strip();
        assertThat(id).as("id of the job").isNotEmpty();
        await("the end of job " + id).atMost(LIMIT).until(() -> {
            Commands.Answer left = answer("squeue", "--noheader", "--jobs=" + id);
            return left.isGood() && left.output().isBlank();
        });
    }

    /** Submits a job that needs whole nodes, in a partition of a higher priority than any other's; returns its id. */
    static String takeNodes(Path directory, String... options) {
        String[] words = Stream.concat(
                        Stream.of("sbatch", "--parsable", "--partition=high", "--exclusive"),
                        Stream.concat(Stream.of("--chdir=" + directory, "--output=/dev/null"), Stream.of(options)))
                .toArray(String[]::new);
        return run(words).strip();
    }

    /** Runs a program and returns how it ended and what it wrote, which is little. */
    public static Commands.Answer answer(String... words) {
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
    public static String run(String... words) {
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
