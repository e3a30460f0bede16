// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that Slurm takes back finish what they run, and nothing runs twice. {@link SlurmClusterTest} runs it. */
class SlurmDrainKit {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    private static int note(String file, int number, long lastMs) throws InterruptedException {
        try {
            Files.writeString(
                    Path.of(file),
                    number + " " + InsideProgram.place() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.sleep(lastMs);
        return number;
    }

    private List<String> notes() {
        try {
            Path notes = directory.resolve("notes");
            return Files.exists(notes) ? Files.readAllLines(notes) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Both workers have run several items: who is younger than a second ends at once. */
    private boolean areWorkersOldEnough() {
        Map<String, Long> counts =
                notes().stream().collect(Collectors.groupingBy(note -> note.split(" ", 2)[1], Collectors.counting()));
        return counts.size() == 2 && counts.values().stream().allMatch(count -> count >= 5);
    }

    private void awaitOldWorkers() {
        await().atMost(LIMIT).until(this::areWorkersOldEnough);
    }

    private void takeAllNodesOfOldWorkers() {
        awaitOldWorkers();
        takeAllNodes();
    }

    /** Runs items in a pool of two workers whose platform takes them back; each item runs once, though none may be lost. */
    private long startsOf(FiberBuilder session, int items, long itemMs, Runnable takeBack) {
        String notes = directory.resolve("notes").toString();
        List<Integer> numbers = IntStream.range(0, items).boxed().toList();
        try (Fiber fiber = session.open();
                Pool pool = fiber.poolBuilder(2)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            CompletableFuture<List<Integer>> results = pool.with(
                            CallOptions.defaults().chunkSize(10))
                    .mapAsync((Integer number) -> note(notes, number, itemMs), numbers);
            takeBack.run();
            assertThat(results).succeedsWithin(LIMIT.multipliedBy(2)).isEqualTo(numbers);
            assertThat(notes().stream().map(note -> Integer.valueOf(note.split(" ", 2)[0])))
                    .containsExactlyInAnyOrderElementsOf(numbers);
            assertThat(pool.statistics().workersLost()).isZero();
            assertThat(pool.statistics().chunksRerun()).isZero();
            return pool.statistics().workersStarted();
        }
    }

    /** A job of all nodes in a partition of a higher priority. */
    private void takeAllNodes() {
        Cluster.takeNodes(directory, "--nodes=4", "--wrap=true");
    }

    @Test
    void workerWhosePlaceIsNeededFinishesWhatItRunsInItsGraceTime() {
        assertThat(startsOf(
                        KitFiber.builder().set("fiber.slurm.partition", "grace"),
                        40,
                        500,
                        this::takeAllNodesOfOldWorkers))
                .isGreaterThanOrEqualTo(4);
    }

    /** Without a grace time SIGTERM comes at once, and the end KillWait later. */
    @Test
    void workerWhosePlaceIsNeededAtOnceFinishesWhatItRunsBeforeItIsKilled() {
        assertThat(startsOf(
                        KitFiber.builder().set("fiber.slurm.partition", "cancelq"),
                        40,
                        500,
                        this::takeAllNodesOfOldWorkers))
                .isGreaterThanOrEqualTo(4);
    }

    /** SIGTERM comes to the batch shell alone where Slurm follows jobs by control groups. */
    @Test
    void workerWhoseJobIsCancelledFromOutsideFinishesWhatItRunsBeforeItIsKilled() {
        assertThat(startsOf(KitFiber.builder().set("fiber.slurm.partition", "debug"), 40, 500, () -> {
                    awaitOldWorkers();
                    runningJobs().forEach(job -> Cluster.run("scancel", job));
                }))
                .isGreaterThanOrEqualTo(4);
    }

    private static List<String> runningJobs() {
        return Cluster.run("squeue", "-h", "-r", "--me", "-p", "debug", "-t", "RUNNING", "-o", "%i")
                .lines()
                .map(String::strip)
                .toList();
    }

    /** As where jobs may be requeued whatever their owners say. */
    private List<String> allowRequeue() {
        List<String> jobs = runningJobs();
        jobs.forEach(job -> Cluster.run("scontrol", "update", "JobId=" + job, "Requeue=1"));
        return jobs;
    }

    /** What waits in the queue for a second run is taken out of it, or finds the mark of the first one. */
    @Test
    @Tag("soak")
    void workerThatIsPutIntoTheQueueAgainFinishesWhatItRunsAndItsSecondRunRunsNothing() {
        List<String> jobs = new ArrayList<>();

        assertThat(startsOf(KitFiber.builder().set("fiber.slurm.partition", "debug"), 40, 500, () -> {
                    awaitOldWorkers();
                    jobs.addAll(allowRequeue());
                    takeAllNodes();
                }))
                .isGreaterThanOrEqualTo(4);

        assertThat(jobs.stream()
                        .map(job -> Cluster.run("scontrol", "-o", "show", "job", job))
                        .filter(job -> job.contains(" Requeue=1 ")))
                .as("workers that Slurm put into the queue again")
                .anySatisfy(job -> assertThat(job).contains(" Restarts=1 "));
    }

    @Test
    @Tag("soak")
    void workerNearItsTimeLimitFinishesWhatItRunsAndAnotherGoesOn() {
        assertThat(startsOf(
                        KitFiber.builder().set("fiber.slurm.partition", "short").set("fiber.slurm.time-limit", "1m"),
                        60,
                        3_000,
                        () -> {}))
                .isGreaterThanOrEqualTo(4);
    }
}
