// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of docs/performance.md, on standard error; they are no promises. {@link SlurmClusterTest} runs it. */
@Tag("soak")
class SlurmFiguresKit {

    private static final int WORKERS = 50;
    private static final int ROUNDS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    private static long millisSince(long beganNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
    }

    private static boolean isEmpty(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how long Slurm takes from the call of sbatch to the first line of the first job of an array. */
    private long startOfSlurmMs(int round, String exclude) throws IOException {
        Path marks = Files.createDirectory(directory.resolve("marks-" + round));
        long beganNs = System.nanoTime();
        String array = Cluster.run(
                        "sbatch",
                        "--parsable",
                        "--array=0-" + (WORKERS - 1),
                        "--exclusive",
                        "--exclude=" + exclude,
                        "-D",
                        directory.toString(),
                        "-o",
                        "/dev/null",
                        "--wrap=: >" + marks + "/$SLURM_ARRAY_TASK_ID; sleep 600")
                .strip();
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(() -> !isEmpty(marks));
        long tookMs = millisSince(beganNs);
        Cluster.run("scancel", array);
        await().atMost(LIMIT)
                .until(() -> Cluster.run("squeue", "-h", "--me", "-o", "%i").isBlank());
        return tookMs;
    }

    private String startOfPool(String exclude) {
        String first = Cluster.run(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Djava.io.tmpdir=" + directory,
                        "-Dfiber.slurm.directory=" + KitFiber.sharedDirectory(),
                        "-Dfiber.slurm.memory=128m",
                        "-Dfiber.cds.directory=" + directory.resolve("archives"),
                        "-Dfiber.slurm.exclude=" + exclude,
                        "-Dfiber.slurm.sbatch=--exclusive",
                        "-cp",
                        directory.resolve("lib") + "/*",
                        FirstResult.class.getName(),
                        String.valueOf(WORKERS),
                        directory.resolve("archives").toString())
                .strip();
        await().atMost(LIMIT)
                .until(() -> Cluster.run("squeue", "-h", "--me", "-o", "%i").isBlank());
        return first;
    }

    /**
     * One array of {@value #WORKERS} workers, of which two run at a time, a node each: nodes of the test cluster claim more
     * processors than this machine has, and workers that start at the same time would wait for each other.
     */
    @Test
    void firstResultOfAPool() throws IOException {
        Manual.layOut(directory);
        String exclude = Cluster.run("sinfo", "-h", "-N", "-p", "debug", "-o", "%N")
                .lines()
                .sorted()
                .skip(Runtime.getRuntime().availableProcessors())
                .collect(Collectors.joining(","));
        System.err.println("figures: without an archive of classes " + startOfPool(exclude));
        for (int round = 0; round < ROUNDS; round++) {
            System.err.println("figures: " + WORKERS + " jobs; sbatch to the first line of the first job "
                    + startOfSlurmMs(round, exclude) + " ms; call of a pool to its first result "
                    + startOfPool(exclude));
        }
    }

    @Test
    void questionsToSlurm() {
        try (KitSession session =
                new KitSession(directory, Map.of("poll-interval", "2s", "sbatch", "--comment=figures"))) {
            long beganNs = System.nanoTime();
            List<Job> jobs = session.start(JobSpec.builder(new Program.Command(List.of("/bin/sleep", "10"))), 50);
            jobs.forEach(job -> assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0)));
            System.err.println("figures: 50 jobs of 10 s each on 16 processors in " + millisSince(beganNs)
                    + " ms; sbatch " + session.calls("sbatch") + ", squeue " + session.calls("squeue") + " times");
        }
    }
}
