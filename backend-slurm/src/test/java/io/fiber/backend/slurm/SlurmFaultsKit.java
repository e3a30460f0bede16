// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.ProcessStartException;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What breaks on real clusters. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmFaultsKit {

    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    private static String jobs() {
        return Cluster.run("squeue", "-h", "-r", "--me", "-o", "%i %T");
    }

    private static void awaitLine(Job job, String line) {
        await(line).atMost(LIMIT).until(() -> job.logs(5).contains(line));
    }

    private static void last(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    @Test
    void allJobsOfASessionThatSomebodyCancelsEndAlsoThoseThatWait() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            List<Job> jobs = session.start(KitSession.shell("echo here; sleep 600"), 20);
            await().atMost(LIMIT)
                    .until(() -> jobs.stream().anyMatch(job -> job.logs(5).contains("here")));
            await().atMost(LIMIT).until(() -> jobs().contains("PENDING") && jobs().contains("RUNNING"));
            Cluster.run("scancel", jobs.get(0).id().split("_", 2)[0]);

            for (Job job : jobs) {
                assertThat(session.awaitEnd(job).cause()).isIn(EndCause.SIGNALLED, EndCause.UNKNOWN);
            }
        }
    }

    static String node(int number) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(20);
        return System.getenv("SLURMD_NODENAME");
    }

    /** Its places are free again first, so it would be given each job that replaces one. */
    @Test
    void nodeOnWhichNoWorkerStartsGetsNoMoreOfThem() throws IOException {
        Path java = KitFiber.sharedDirectory().resolve("java-of-most-nodes");
        Files.createDirectories(java.getParent());
        Files.writeString(
                java,
                "#!/bin/sh\ncase $SLURMD_NODENAME in *-1) exit 127 ;; esac\nexec " + System.getProperty("java.home")
                        + "/bin/java \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Fiber fiber = KitFiber.builder()
                        .set("fiber.slurm.java", java.toString())
                        .set("fiber.slurm.poll-interval", "500ms")
                        .open();
                Pool pool = fiber.pool(6)) {
            assertThat(pool.map(SlurmFaultsKit::node, IntStream.range(0, 100)))
                    .hasSize(100)
                    .noneMatch(node -> node.endsWith("-1"));

            awaitWorkersElsewhere(6);
            // The last of the six may have been submitted before the node was known to be bad.
            pool.resize(7);
            awaitWorkersElsewhere(7);
            assertThat(Cluster.run("scontrol", "show", "job")).containsPattern("ExcNodeList=\\w+-1\n");
        }
    }

    private static void awaitWorkersElsewhere(int count) {
        await(count + " workers elsewhere")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(Cluster.run("squeue", "-h", "-r", "--me", "-t", "RUNNING", "-o", "%N")
                                .lines())
                        .hasSize(count)
                        .noneMatch(node -> node.endsWith("-1")));
    }

    @Test
    void jobThatMakesRoomForAnotherByBeingCancelledWasPreempted() {
        assertThat(endOfPreempted("cancelq").cause()).isEqualTo(EndCause.PREEMPTED);
    }

    /** Slurm would start it again, though it was submitted with --no-requeue: then it is cancelled instead. */
    @Test
    void jobThatMakesRoomInAPartitionThatRequeuesWasPreemptedToo() {
        assertThat(endOfPreempted("debug").cause()).isEqualTo(EndCause.PREEMPTED);
    }

    /** A job of all nodes in a partition of a higher priority needs the place of one that runs. */
    private JobTermination endOfPreempted(String partition) {
        try (KitSession session = new KitSession(directory, Map.of("partition", partition, "sbatch", "--exclusive"))) {
            Job job = session.start(KitSession.shell("echo here; sleep 600"));
            awaitLine(job, "here");
            String urgent = Cluster.takeNodes(directory, "--nodes=4", "--wrap=sleep 1");
            try {
                return session.awaitEnd(job);
            } finally {
                Cluster.run("scancel", urgent);
            }
        }
    }

    @Test
    @Tag("soak")
    void killedMasterLeavesNoJobNotEvenOneThatWaits() throws Exception {
        Process master = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        InsideProgram.class.getName(),
                        "stay")
                .inheritIO()
                .start();
        try {
            await().atMost(LIMIT).until(() -> jobs().contains("PENDING") && jobs().contains("RUNNING"));
        } finally {
            master.destroyForcibly().waitFor();
        }
        // 30 s and KillWait, and what a busy machine adds.
        await("no job left").atMost(Duration.ofSeconds(90)).until(() -> jobs().isBlank());
    }

    private static int note(String file, int number) throws InterruptedException {
        try {
            Files.writeString(Path.of(file), number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.sleep(200);
        return number;
    }

    /** Something that begins, lasts and ends. */
    private record Fault(Hands.Wish begin, Duration time, Hands.Wish end) {
        void happen() throws InterruptedException {
            Hands.ask(begin);
            try {
                last(time);
            } finally {
                Hands.ask(end);
            }
        }
    }

    /** Runs a pool through a fault; every task runs once. */
    private void tasksRunOnce(int count, Fault fault) throws Exception {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.poolBuilder(4)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            resultsAreThose(pool, count, fault);
        }
        assertThat(Files.readAllLines(directory.resolve("notes")).stream().map(Integer::valueOf))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).boxed().toList());
    }

    private static boolean firstNodeTakesJobs() {
        return Cluster.run("sinfo", "-h", "-N", "-o", "%N %t")
                .lines()
                .anyMatch(line -> line.matches("\\S+-1 (idle|mix|alloc)"));
    }

    private void resultsAreThose(Pool pool, int count, Fault fault) throws Exception {
        String notes = directory.resolve("notes").toString();
        List<Integer> numbers = IntStream.range(0, count).boxed().toList();
        // The fault meets nobody otherwise: after an earlier one Slurm takes a minute or two to trust a node again.
        await("the first node takes jobs").atMost(LIMIT.multipliedBy(3)).until(SlurmFaultsKit::firstNodeTakesJobs);
        CompletableFuture<List<Integer>> results =
                CompletableFuture.supplyAsync(() -> pool.map((Integer number) -> note(notes, number), numbers));
        await().atMost(LIMIT).until(() -> Files.exists(Path.of(notes)));
        // A worker that is lost in its start is none that has failed at its work.
        pool.awaitReady();
        fault.happen();
        assertThat(results).succeedsWithin(LIMIT.multipliedBy(2)).isEqualTo(numbers);
    }

    @Test
    @Tag("soak")
    void nothingIsLostAndNothingRunsTwiceWhileTheControllerIsDownForAMinute() throws Exception {
        tasksRunOnce(1500, new Fault(Hands.Wish.STOP_CONTROLLER, OUTAGE, Hands.Wish.START_CONTROLLER));
    }

    @Test
    @EnabledIfSystemProperty(named = "kit.mode", matches = "namespaces")
    void nodeThatIsCutOffForFiveSecondsLosesNothing() throws Exception {
        tasksRunOnce(160, new Fault(Hands.Wish.CUT_FIRST_NODE, Duration.ofSeconds(5), Hands.Wish.MEND_FIRST_NODE));
    }

    @Test
    @Tag("soak")
    @EnabledIfSystemProperty(named = "kit.mode", matches = "namespaces")
    void workOfANodeThatIsCutOffForAMinuteWithAllWorkersIsDoneElsewhere() throws Exception {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(4)) {
            resultsAreThose(pool, 1000, new Fault(Hands.Wish.CUT_FIRST_NODE, OUTAGE, Hands.Wish.MEND_FIRST_NODE));
            assertThat(pool.statistics().workersLost()).isPositive();
        }
    }

    @Test
    @Tag("soak")
    @EnabledIfSystemProperty(named = "kit.mode", matches = "namespaces")
    void workOfANodeThatLosesItsPowerIsDoneElsewhere() throws Exception {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(6)) {
            resultsAreThose(
                    pool, 1000, new Fault(Hands.Wish.POWER_OFF_FIRST_NODE, OUTAGE, Hands.Wish.POWER_ON_FIRST_NODE));
            assertThat(pool.statistics().workersLost()).isPositive();
        }
    }

    @Test
    void sharedDirectoryWithoutRoomIsAnErrorThatNamesTheCureAndLeavesNothing() throws Exception {
        Hands.ask(Hands.Wish.MAKE_SMALL_DISK);
        try {
            Path disk = Hands.smallDisk(Path.of(System.getProperty("java.io.tmpdir")));
            Path shared = disk.resolve("shared");
            try (Fiber fiber = KitFiber.builderIn(shared).open()) {
                fill(disk.resolve("filling"));
                assertThatThrownBy(() -> fiber.process(() -> {}))
                        .isInstanceOf(ProcessStartException.class)
                        .hasMessageContaining("FBR-133")
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("Free some space, or set fiber.slurm.directory");
            }
            assertThat(shared).isEmptyDirectory();
            // Those of an earlier test may be about to end.
            await("no job left").atMost(LIMIT).until(() -> jobs().isBlank());
        } finally {
            Hands.ask(Hands.Wish.REMOVE_SMALL_DISK);
        }
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[1024]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }
}
