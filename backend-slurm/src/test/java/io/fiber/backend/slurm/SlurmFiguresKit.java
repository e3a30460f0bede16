// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of docs/performance.md, on standard error; they are no promises. {@link SlurmClusterTest} runs it. */
@Tag("soak")
class SlurmFiguresKit {

    private static final int WORKERS = 12;
    private static final int ROUNDS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(2);

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
    private long startOfSlurmMs(int round) throws IOException {
        Path marks = Files.createDirectory(directory.resolve("marks-" + round));
        long beganNs = System.nanoTime();
        Cluster.run(
                "sbatch",
                "--parsable",
                "--array=0-" + (WORKERS - 1),
                "--mem=320M",
                "-D",
                directory.toString(),
                "-o",
                "/dev/null",
                "--wrap=: >" + marks + "/$SLURM_ARRAY_TASK_ID");
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(() -> !isEmpty(marks));
        return millisSince(beganNs);
    }

    private static long startOfPoolMs() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(WORKERS)) {
            long beganNs = System.nanoTime();
            try (Stream<Integer> results = pool.imapUnordered(
                    (Integer number) -> number,
                    IntStream.range(0, WORKERS).boxed().toList())) {
                assertThat(results.findFirst()).isPresent();
                return millisSince(beganNs);
            }
        }
    }

    @Test
    void firstResultOfAPool() throws IOException {
        startOfPoolMs();
        for (int round = 0; round < ROUNDS; round++) {
            long slurmMs = startOfSlurmMs(round);
            System.err.println("figures: " + WORKERS + " jobs; sbatch to the first line of the first job " + slurmMs
                    + " ms; call of a pool to its first result " + startOfPoolMs() + " ms");
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
